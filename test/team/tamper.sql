-- Promises broken on purpose, in a copy of the tables: the auditor has to see each. A title, then the statement.
-- no contact is worked by two: a fenced caller writes all the same
INSERT INTO call_log (n, contact, token, who, step)
SELECT 1000000000, contact, token - 1, 'somebody', 'dialled' FROM call_log WHERE step = 'ended' LIMIT 1
-- no contact is worked by two: two callers have one token
INSERT INTO call_log (n, contact, token, who, step)
SELECT 1000000000, contact, token, 'somebody', 'dialled' FROM call_log WHERE step = 'ended' LIMIT 1
-- no contact is worked by two: a plain UPDATE takes one
INSERT INTO told SELECT 'somebody', 'steal', 'won', id FROM contact LIMIT 1
-- no contact is called twice: a call ends again
INSERT INTO call_log (n, contact, token, who, step)
SELECT 1000000000, contact, token, who, step FROM call_log WHERE step = 'ended' LIMIT 1
-- a reassignment fences the old owner: the old owner writes after it
INSERT INTO call_log (n, contact, token, who, step)
SELECT 1000000000, key::bigint, former_token, former_owner, 'dialled' FROM reassignments WHERE former_token IS NOT NULL LIMIT 1
-- a reassignment fences the old owner: it is not in the log
DELETE FROM call_log WHERE (contact, token) = (SELECT key::bigint, token FROM reassignments LIMIT 1)
-- a reassignment fences the old owner: one that was acknowledged is lost
DELETE FROM reassignments WHERE (key, token::text) = (SELECT what, why FROM told WHERE act = 'reassign' AND outcome = 'won' LIMIT 1)
-- one profile a company: a second one
INSERT INTO profile (id, company, created_by) SELECT gen_random_uuid(), upper(company), 'somebody' FROM profile LIMIT 1
-- one profile a company: one is lost
DELETE FROM profile WHERE id = (SELECT id FROM profile LIMIT 1)
-- one open transfer a contact: a second one
INSERT INTO transfer (id, contact, opened_by, closed) SELECT 1000000000, contact, 'somebody', false FROM transfer WHERE NOT closed LIMIT 1
-- one open transfer a contact: one that was acknowledged is lost
DELETE FROM transfer WHERE id = (SELECT what::bigint FROM told WHERE act = 'transfer' AND outcome = 'won' LIMIT 1)
-- no mail twice: one is sent again
INSERT INTO sent SELECT key FROM sent LIMIT 1
-- no mail is forgotten: one was settled and never sent
DELETE FROM sent WHERE key = (SELECT key FROM claims WHERE ledger = 'mails' AND state = 'done' LIMIT 1)
-- an AI run is paid once: one is paid again
INSERT INTO paid SELECT * FROM paid LIMIT 1
-- who asks for an AI run gets its result: the ledger has another one
UPDATE claims SET result = '{"briefing": "another"}' WHERE ledger = 'briefings' AND key = (SELECT key FROM paid LIMIT 1)
-- who asks for an AI run gets its result: somebody was given another one
UPDATE call_log SET briefing = '{"briefing": "another"}' WHERE n = (SELECT n FROM call_log WHERE briefing IS NOT NULL LIMIT 1)
-- nobody is lost: a contact is left open
UPDATE contact SET status = 'open' WHERE id = (SELECT id FROM contact LIMIT 1)
-- nobody is lost: a call that was acknowledged is lost
DELETE FROM call_log WHERE step = 'ended' AND contact = (SELECT what::bigint FROM told WHERE act = 'call' AND outcome = 'won' LIMIT 1)
