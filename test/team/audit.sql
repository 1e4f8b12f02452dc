-- Every broken promise, a row each: promise, whether something is there twice ('duplicated') or not at all ('missing'),
-- and what. Reads tables only, and what is known from outside of the database, which the auditor has put beside them:
--   told (who, act, outcome, what, why)  what each worker was answered, noted in a file after the commit
--   sent (key), paid (key, company, briefing) what the mail server and the AI's provider have in their books
--   due (key)                            the mails that somebody was to send
WITH step AS (
    SELECT *, max(token) OVER (PARTITION BY contact ORDER BY n ROWS UNBOUNDED PRECEDING) AS newest FROM call_log
)
SELECT 'no contact is worked by two' AS promise, 'duplicated' AS kind,
       format('contact %s: %s wrote "%s" with token %s after token %s', contact, who, step, token, newest) AS fault
  FROM step WHERE token < newest
UNION ALL
SELECT 'no contact is worked by two', 'duplicated', format('contact %s: token %s is of %s', contact, token, array_agg(DISTINCT who))
  FROM step GROUP BY contact, token HAVING count(DISTINCT who) > 1
UNION ALL
SELECT 'no contact is worked by two', 'duplicated', format('contact %s: %s took it with a plain UPDATE', what, who)
  FROM told WHERE act = 'steal' AND outcome = 'won'
UNION ALL
SELECT 'no contact is called twice', 'duplicated', format('contact %s: %s calls ended', contact, count(*))
  FROM call_log WHERE step = 'ended' GROUP BY contact HAVING count(*) > 1
UNION ALL
-- Whoever had it before can have written nothing since; and the log says whose it is now.
SELECT 'a reassignment fences the old owner', 'duplicated', format('contact %s: %s wrote "%s" after it was given to %s', r.key, s.who, s.step, r.owner)
  FROM reassignments AS r
  JOIN call_log AS g ON g.contact = r.key::bigint AND g.token = r.token AND g.step = 'given'
  JOIN call_log AS s ON s.contact = g.contact AND s.token = r.former_token AND s.n > g.n
UNION ALL
SELECT 'a reassignment fences the old owner', 'missing', format('contact %s: given to %s, and the log does not say so', r.key, r.owner)
  FROM reassignments AS r
 WHERE NOT EXISTS (SELECT FROM call_log AS g WHERE g.contact = r.key::bigint AND g.token = r.token AND g.who = r.owner AND g.step = 'given')
UNION ALL
SELECT 'a reassignment fences the old owner', 'missing', format('contact %s: %s was told that it is reassigned, and it is not', t.what, t.who)
  FROM told AS t WHERE t.act = 'reassign' AND t.outcome = 'won'
   AND NOT EXISTS (SELECT FROM reassignments AS r WHERE r.key = t.what AND r.token = t.why::bigint)
UNION ALL
SELECT 'one profile a company', 'duplicated', format('%s profiles: %s', count(*), array_agg(company))
  FROM profile GROUP BY lower(btrim(company)) HAVING count(*) > 1
UNION ALL
SELECT 'one profile a company', 'missing', format('%s has called %s, which has none', s.who, c.company)
  FROM call_log AS s JOIN contact AS c ON c.id = s.contact
 WHERE s.step = 'ended' AND NOT EXISTS (SELECT FROM profile AS p WHERE lower(btrim(p.company)) = lower(btrim(c.company)))
UNION ALL
SELECT 'one open transfer a contact', 'duplicated', format('contact %s: %s are open', contact, count(*))
  FROM transfer WHERE NOT closed GROUP BY contact HAVING count(*) > 1
UNION ALL
SELECT 'one open transfer a contact', 'missing', format('transfer %s: %s was told that it is opened', t.what, t.who)
  FROM told AS t WHERE t.act = 'transfer' AND t.outcome = 'won' AND NOT EXISTS (SELECT FROM transfer WHERE id = t.what::bigint)
UNION ALL
SELECT 'no mail twice', 'duplicated', format('%s was sent %s times', key, count(*)) FROM sent GROUP BY key HAVING count(*) > 1
UNION ALL
-- Sent, or listed as perhaps unsent. What is settled as done was sent.
SELECT 'no mail is forgotten', 'missing', format('%s was not sent, and is not listed', key)
  FROM due WHERE key NOT IN (SELECT key FROM sent)
   AND key NOT IN (SELECT key FROM claims WHERE ledger = 'mails' AND state IN ('claimed', 'unknown'))
UNION ALL
SELECT 'an AI run is paid once', 'duplicated', format('%s was paid %s times', min(company), count(*))
  FROM paid GROUP BY lower(btrim(company)) HAVING count(*) > 1
UNION ALL
SELECT 'who asks for an AI run gets its result', 'missing', format('%s: the ledger has %s, paid was for %s', p.company, c.result, p.briefing)
  FROM paid AS p LEFT JOIN claims AS c ON c.ledger = 'briefings' AND c.key = p.key AND c.state = 'done'
 WHERE c.result ->> 'briefing' IS DISTINCT FROM p.briefing
UNION ALL
SELECT 'who asks for an AI run gets its result', 'missing', format('contact %s: called with %s, paid was for %s', s.contact, s.briefing, p.briefing)
  FROM call_log AS s JOIN contact AS c ON c.id = s.contact LEFT JOIN paid AS p ON lower(btrim(p.company)) = lower(btrim(c.company))
 WHERE s.briefing IS NOT NULL AND s.briefing ->> 'briefing' IS DISTINCT FROM p.briefing
UNION ALL
SELECT 'nobody is lost', 'missing', format('contact %s is %s and its log has %s calls', c.id, c.status, count(s.n))
  FROM contact AS c LEFT JOIN call_log AS s ON s.contact = c.id AND s.step = 'ended'
 GROUP BY c.id, c.status HAVING c.status <> 'called' OR count(s.n) = 0
UNION ALL
SELECT 'nobody is lost', 'missing', format('contact %s: %s was told that the call is written down', t.what, t.who)
  FROM told AS t WHERE t.act = 'call' AND t.outcome = 'won'
   AND NOT EXISTS (SELECT FROM call_log AS s WHERE s.contact = t.what::bigint AND s.who = t.who AND s.step = 'ended')
