CREATE FUNCTION arbiter.create_machine(
    store text, machine text, category text, initial text, transitions jsonb) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_machine';
COMMENT ON FUNCTION arbiter.create_machine(text, text, text, text, jsonb) IS
    'arbiter: from now on each event type of the machine may only follow the states it is meant for, whoever writes it; identical again is a no-op';

CREATE FUNCTION arbiter.drop_machine(store text, machine text, force boolean DEFAULT false) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_machine';
COMMENT ON FUNCTION arbiter.drop_machine(text, text, boolean) IS
    'forgets a machine: from then on its event types are like any other; refused while a stream has events of it unless force';

CREATE FUNCTION arbiter.transition(
    store text, machine text, entity text, command text, data jsonb DEFAULT '{}',
    command_id uuid DEFAULT NULL, OUT outcome text, OUT state text, OUT revision bigint)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_transition';
COMMENT ON FUNCTION arbiter.transition(text, text, text, text, jsonb, uuid) IS
    'arbiter: appends the event that the command means in the entity''s state, answers already in the very state aimed at, else RB030';

CREATE FUNCTION arbiter.machine_state(store text, machine text, entity text) RETURNS text
    LANGUAGE C STABLE AS 'MODULE_PATHNAME', 'arbiter_machine_state';
COMMENT ON FUNCTION arbiter.machine_state(text, text, text) IS
    'hint: state of an entity by its stream, as this statement sees it; the write decides';

CREATE FUNCTION arbiter.guard_machines() RETURNS trigger
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_guard_machines';
COMMENT ON FUNCTION arbiter.guard_machines() IS
    'internal, arbiter: machines change by create_machine and drop_machine alone';
