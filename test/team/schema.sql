-- The calling team: everything that its database has, from top to bottom. doc/team.md explains it.
CREATE EXTENSION IF NOT EXISTS arbiter;
SELECT arbiter.create_store('team');

-- A company is known by its name. Case and padding are somebody's typing; the id is the same for all of them, in
-- every language, and the vector is what Python's uuid.uuid5 says.
SELECT arbiter.create_derivation('team', 'company_id',
    namespace => 'b1f4a7c2-93d0-4e5b-8a6f-2c7d10e94b35',
    parts => '[{"name": "company", "type": "text", "each": ["trim_js25", "lower_ascii", "refuse_empty"]}]',
    vectors => '[{"args": {"company": " ACME GmbH"}, "uuid": "eb8c4d2d-20b6-547c-ac29-6a9e68e01941",
                  "origin": "Python 3.11, uuid.uuid5"}]');

-- Contacts to call, the urgent ones first. Owner, since and token are the pool's.
CREATE TABLE contact (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company text NOT NULL,
    priority integer NOT NULL,
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'called')),
    owner text,
    since timestamptz,
    token bigint NOT NULL DEFAULT 0
);
CREATE INDEX contact_free ON contact (priority DESC, id) WHERE owner IS NULL AND status = 'open';
CREATE INDEX contact_owned ON contact (owner) WHERE owner IS NOT NULL AND status = 'open';
SELECT arbiter.create_pool('team', 'contacts', 'contact', key => 'id', owner_column => 'owner', since_column => 'since',
                           token_column => 'token', predicate => 'status = ''open''', order_by => 'priority DESC, id');

-- What happened to a contact, under which token. Each step is written while the contact's row is locked, by allocate,
-- hold_work, release_work, return_stale or reassign in the same transaction: so n is the order of the steps of a contact.
CREATE TABLE call_log (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    contact bigint NOT NULL REFERENCES contact,
    token bigint NOT NULL,
    who text NOT NULL,
    step text NOT NULL CHECK (step IN ('given', 'dialled', 'ended', 'released', 'returned')),
    briefing jsonb
);

-- One profile a company. Its key is derived, so who skips the lock, or types the name in another way, makes no second one.
CREATE TABLE profile (
    id uuid GENERATED ALWAYS AS (team.company_id(company)) STORED PRIMARY KEY,
    company text NOT NULL,
    created_by text NOT NULL
);

-- One open transfer a contact.
CREATE TABLE transfer (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    contact bigint NOT NULL REFERENCES contact,
    opened_by text NOT NULL,
    closed boolean NOT NULL DEFAULT false
);
SELECT arbiter.create_guard('one_open_transfer', 'transfer', ARRAY['contact'], 'NOT closed',
                            'this contact is being transferred already', 'Ask whoever opened the transfer.');

-- Mails are sent at most once: nobody can take a mail back. Briefings by the AI cost money, so they are not repeated either;
-- what a crash leaves open is looked up in the provider's book and settled by hand.
SELECT arbiter.create_ledger('team', 'mails');
SELECT arbiter.create_ledger('team', 'briefings');
