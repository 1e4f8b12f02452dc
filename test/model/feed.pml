/* The feed of a store as a protocol: who draws positions, what a crash takes back, what a reader may pass.
 * README.md says what is abstracted and why that is sound; `run` has the configurations and the seeded bugs.
 *
 * Positions are 1..MAXP and fit a byte: a set of positions is a bit mask. */
#ifndef WRITERS
#define WRITERS 2             /* 2 or 3 */
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef MAXP
#define MAXP 3                /* at most 6 */
#endif
#ifndef AHEAD                 /* how many draws one sequence record covers beyond the one that wrote it */
#define AHEAD 0
#endif
#if defined(CRASHES) || defined(STANDBY) || defined(RECORDER)
#define LOG 14                /* there is a write-ahead log, of so many records */
#endif
#if defined(STREAM) || defined(OWN) || defined(BUG_STANDBY_TRUSTS_XIDS)
#define HAND                  /* it matters that a position is drawn before its row is there */
#endif

#define bit(p)       (1 << ((p) - 1))
#define upto(p)      ((1 << (p)) - 1)
#define has(set, p)  ((set) & bit(p))
#define NOBODY       (MAXP + 1)
#define each(i, n)   i = 0; do :: i < n ->
#define next(i)      i++ :: else -> break od; i = 0

mtype = { idle, open, committing, prepared };
mtype = { nothing, sequence, commit, horizon, running, ended };

/* --- what the server holds ----------------------------------------------------------------------------------- */
byte last;                    /* the sequence: the last position handed out */
byte events;                  /* what a new snapshot sees */
byte settled;                 /* the recorded horizon, as a new snapshot sees it */
#ifdef RECORDER
byte recording;               /* what the recorder is about to write, 0: nothing */
bit recorded;                 /* its commit record is in the log */
#endif

mtype phase[WRITERS] = idle;
bit holds[WRITERS];           /* RowExclusiveLock on the sequence */
byte published[WRITERS];      /* the position in the tag of the private lock, 0: none yet */
byte rows[WRITERS];           /* what the transaction in progress would commit */
byte first[WRITERS];          /* ghost: the lowest position that it can commit */
#ifdef HAND
byte drawn[WRITERS];          /* a position without its row, 0: none */
#define hand(w) drawn[w]
#else
#define hand(w) 0
#endif

/* --- what readers were given: outside the server, so no crash takes it back ---------------------------------- */
byte cursor[READERS + 1];
bit quiet[READERS + 1];           /* ghost: nobody has held the sequence lock since the call began */

#ifdef STREAM                 /* all writers append to one stream */
byte revision[MAXP + 1];
byte expected[WRITERS];
byte pending;                 /* rows in progress: whoever looks at the head waits for those of others */
#define size(set)  (((set) & 1) + (((set) >> 1) & 1) + (((set) >> 2) & 1) + (((set) >> 3) & 1) + (((set) >> 4) & 1) + (((set) >> 5) & 1))
#define alone(w)   ((pending & ~rows[w]) == 0)
#define asked(w)   (expected[w] != 0)
#define fits(w)    (alone(w) && expected[w] == size(events | rows[w]) + 1)
#else
#define asked(w)   true
#define fits(w)    true
#endif

#ifdef OWN                    /* reader 0 calls from within the transaction of writer 0, which stands still then */
bit calling;
#define moves(w)   (w != 0 || !calling)
#else
#define moves(w)   true
#endif

#ifdef LOG
mtype kind[LOG] = nothing;
byte value[LOG];
byte inserted;
byte flushed;                 /* what is known to be flushed; more may be, whoever looks decides how much */
inline log_record(what, which) {
    assert(inserted < LOG - 1);
    inserted++;
    kind[inserted] = what;
    value[inserted] = which
}
#endif
#ifdef CRASHES
byte crashes = CRASHES;
bit killed[READERS + 1];
byte covered;                 /* up to here the last sequence record covers draws */
byte sequence_lsn;            /* the LSN on the page of the sequence */
#endif
#ifdef STANDBY
byte replayed, standby_events, standby_settled, standby_cursor;
#ifdef BUG_STANDBY_TRUSTS_XIDS
byte standby_running;
bit assigned[WRITERS];        /* the transaction has an xid, and the log tells */
#endif
#endif
#ifdef REACH                  /* what must be reachable, or the model proves nothing: an assertion that must fail */
#define reached(what) assert(REACH != what)
#else
#define reached(what) skip
#endif

/* --- writers ------------------------------------------------------------------------------------------------- */
inline forget(w) {
    phase[w] = idle; holds[w] = 0; published[w] = 0; rows[w] = 0; first[w] = 0;
#ifdef HAND
    drawn[w] = 0;
#endif
#ifdef STREAM
    expected[w] = 0;
#endif
    skip
}
inline no_longer_pending(set) {
#ifdef STREAM
    pending = pending & ~(set);
#endif
    skip
}
/* New snapshots see the rows, and the locks are let go. PostgreSQL does it in this order, and a lock that is let go
 * later only makes a reader wait. */
inline become_visible(w) {
    each(i, READERS)            /* an event at or below a cursor is one that this reader will never be given */
        assert((rows[w] & upto(cursor[i])) == 0);
    next(i);
    assert((rows[w] & upto(settled)) == 0);
    events = events | rows[w];
    no_longer_pending(rows[w]);
    forget(w)
}
inline end_record(w) {
#ifdef BUG_STANDBY_TRUSTS_XIDS
    if :: assigned[w] -> log_record(ended, w); assigned[w] = 0 :: else fi;
#endif
    skip
}
inline commit_record(w) {
#ifdef LOG
    if :: rows[w] != 0 -> log_record(commit, rows[w]) :: else fi;
#endif
    end_record(w)
}

proctype writer(byte w) {
    byte i;
end:
    do
    /* The lock, held to the end of the top transaction whatever savepoints do; only then a draw. */
    :: d_step { phase[w] == idle && moves(w) && last < MAXP && asked(w) ->
                phase[w] = open; holds[w] = 1;
                each(i, READERS) quiet[i] = 0; next(i) }
    :: d_step { phase[w] == open && moves(w) && last < MAXP && asked(w) && hand(w) == 0 ->
#ifdef CRASHES
                if
                :: last >= covered -> covered = (last + AHEAD < MAXP -> last + 1 + AHEAD : MAXP); log_record(sequence, covered); sequence_lsn = inserted
                :: else
                fi;
#endif
                last++;
                each(i, READERS)    /* a returned horizon is final: nothing is drawn there again */
                    assert(last > cursor[i]);
                next(i);
#ifdef HAND
                drawn[w] = last;
#else
                rows[w] = rows[w] | bit(last);
#endif
                first[w] = (first[w] == 0 -> last : first[w]) }
    :: d_step { phase[w] == open && moves(w) && first[w] != 0 && published[w] == 0 -> published[w] = first[w] }
#ifdef STREAM
    /* Looking at the head: rows in progress are waited for, then the next revision is known. */
    :: d_step { (phase[w] == idle || phase[w] == open) && !asked(w) && hand(w) == 0 && last < MAXP && alone(w) ->
                expected[w] = size(events | rows[w]) + 1 }
#endif
#ifdef HAND
    :: d_step { phase[w] == open && moves(w) && drawn[w] != 0 && fits(w) ->
                rows[w] = rows[w] | bit(drawn[w]);
#ifdef STREAM
                revision[drawn[w]] = expected[w]; pending = pending | bit(drawn[w]); expected[w] = 0;
#endif
#ifdef BUG_STANDBY_TRUSTS_XIDS
                if :: !assigned[w] -> log_record(running, w); assigned[w] = 1 :: else fi;
#endif
                drawn[w] = 0 }
    /* A draw that comes to nothing: a raw nextval, an insert that fails, a savepoint rolled back. */
    :: d_step { phase[w] == open && moves(w) && drawn[w] != 0 ->
                drawn[w] = 0;
#ifdef STREAM
                expected[w] = 0;
#endif
                first[w] = (published[w] == 0 && rows[w] == 0 -> 0 : first[w]) }
#ifdef BUG_RETRY_KEEPS_POSITION
    :: d_step { phase[w] == open && drawn[w] != 0 && alone(w) && !fits(w) ->
                expected[w] = size(events | rows[w]) + 1 }
#endif
#endif
    /* ROLLBACK TO SAVEPOINT takes the latest row back; the lock and the publication stay. What was neither published
     * nor is there does not count as a first position. */
    :: d_step { phase[w] == open && moves(w) && rows[w] != 0 && hand(w) == 0 ->
                i = MAXP;
                do :: has(rows[w], i) -> break :: else -> i-- od;
                rows[w] = rows[w] & ~bit(i);
                no_longer_pending(bit(i));
#ifdef STREAM
                expected[w] = 0;
#endif
                i = 0;
                first[w] = (published[w] == 0 && rows[w] == 0 -> 0 : first[w]) }
#if defined(LOG) || defined(BUG_LOCK_RELEASED_BEFORE_VISIBLE)
    :: d_step { phase[w] == open && moves(w) && hand(w) == 0 ->
                commit_record(w);
#ifdef BUG_LOCK_RELEASED_BEFORE_VISIBLE
                holds[w] = 0;
#endif
                phase[w] = committing }
    :: d_step { phase[w] == committing -> become_visible(w) }
#else
    :: d_step { phase[w] == open && moves(w) && hand(w) == 0 -> become_visible(w) }
#endif
    /* The abort, of a prepared transaction too. */
    :: d_step { (phase[w] == open || phase[w] == prepared) && moves(w) ->
                no_longer_pending(rows[w]); end_record(w); forget(w) }
#ifdef CRASHES
    /* PREPARE and COMMIT PREPARED flush; the lock and the publication stay, after a crash too. */
    :: d_step { phase[w] == open && moves(w) && rows[w] != 0 -> flushed = inserted; phase[w] = prepared }
    :: d_step { phase[w] == prepared -> commit_record(w); flushed = inserted; phase[w] = committing }
#endif
    od
}

/* --- readers on the primary ---------------------------------------------------------------------------------- */
/* S0: the snapshot of the caller's statement. In REPEATABLE READ the next call has the same one. */
inline take_caller_snapshot() {
    if
    :: S0 = events
#ifndef LOG
    :: skip
#endif
    fi;
    quiet[me] = 1;
    each(i, WRITERS)
        if :: holds[i] -> quiet[me] = 0 :: else fi;
    next(i)
}
inline read_sequence() {
#ifdef CRASHES
    L_lsn = sequence_lsn;
#endif
    L = last
}
/* W, holder by holder: the lock table is not read in one instant. What is kept of it: the lowest position that some
 * holder may still commit; 0 if one of them has published nothing, NOBODY if there is none. */
inline look_at_holder(w) {
    d_step {
        if
#ifdef BUG_SELF_IS_NO_HOLDER
        :: me == 0 && w == 0 -> skip
#endif
        :: else ->
            if
            :: holds[w] ->
                assert(published[w] == 0 || published[w] == first[w]);
                if :: published[w] < lowest -> lowest = published[w] :: else fi
            :: else
            fi
        fi
    }
}
inline look_at_holders() {
    look_at_holder(0);
    look_at_holder(1)
#if WRITERS > 2
    ; look_at_holder(2)
#endif
}
inline take_fresh_snapshot() {
#ifndef BUG_SETTLED_READ_LATER
    H = settled;
#endif
#ifdef OWN
    own = (me == 0 -> rows[0] : 0);
#endif
    S1 = events
}
/* Position by position, at most `limit` events: h is the answer, `delivered` the last event of it, `undecided` the gap
 * that a writer holds back. */
inline decide() {
#ifdef BUG_SETTLED_READ_LATER
    H = settled;
#endif
    h = cursor[me]; delivered = h; n = 0; undecided = 0; i = h + 1;
    do
    :: i > MAXP || n == limit -> break
    :: else ->
        if
#ifdef OWN
#ifdef BUG_SELF_IS_NO_HOLDER
        :: has(own, i) -> h = i; delivered = i; n++
#else
        :: has(own, i) -> break         /* the caller's own events are not settled before it commits */
#endif
#endif
#ifdef BUG_NO_CALLER_CUT
        :: has(S1, i) -> h = i; delivered = i; n++
#else
        :: has(S1, i) && !has(S0, i) -> break
        :: has(S1, i) && has(S0, i) -> h = i; delivered = i; n++
#endif
#ifdef OWN
        :: !has(S1, i) && !has(own, i) ->
#else
        :: !has(S1, i) ->
#endif
            if
            :: i <= L && (i <= H || i < lowest) -> h = i
#ifdef BUG_GAP_ABOVE_L_DEAD
            :: i > L && i < lowest && (S1 >> i) != 0 -> h = i
#endif
#ifdef BUG_SETTLED_ABOVE_L
            :: i > L && i <= H -> h = i
#endif
            :: else -> undecided = (i <= L -> i : 0); break
            fi
        fi;
        i++
    od;
    i = 0
}
/* Nothing leaves before it is durable: the commits of the delivered events are flushed, and a trailing dead gap is
 * passed when the sequence's record is. */
inline make_durable() {
#ifdef CRASHES
#ifndef BUG_NO_FLUSH_OF_COMMITS
    i = inserted;
    do
    :: i <= flushed -> break
    :: else ->
        if
        :: kind[i] == commit && (value[i] & S1 & upto(delivered) & ~upto(cursor[me])) != 0 -> flushed = i
        :: else -> i--
        fi
    od;
    i = 0;
#endif
#ifndef BUG_HORIZON_PAST_UNFLUSHED_SEQUENCE
    if
    :: h > delivered && L_lsn > flushed && lazy -> h = delivered
    :: h > delivered && L_lsn > flushed && !lazy -> flushed = L_lsn
    :: else
    fi;
#endif
#endif
    skip
}
#ifndef BUG_HORIZON_ASKED_PER_ROW
#define given S0                /* position <= (SELECT feed_horizon()): one answer for all rows of a statement */
#endif
inline hand_out() {
#if defined(TOLD) && !defined(BUG_HORIZON_FORGOTTEN)
    H = (told > H -> told : H); /* the session remembers what it was told */
#endif
    decide();
    reached_in_call();
    make_durable();
#ifdef BUG_HORIZON_ASKED_PER_ROW
    /* The first row above the first answer was refused by it; the others were asked for later. */
    i = asked + 1;
    do :: i <= MAXP && !has(S0, i) -> i++ :: else -> break od;
    given = (i <= MAXP -> S0 & ~bit(i) : S0);
    do :: h > cursor[me] && !has(given, h) -> h-- :: else -> break od;
    i = 0;
#endif
    /* Held back by a writer and by nobody else. With no holder since the call began nothing is undecided, and a call
     * without a limit, with a snapshot that is still fresh, gets to the head. */
    assert(undecided == 0 || (!quiet[me] && lowest <= undecided));
#ifndef BUG_HORIZON_ASKED_PER_ROW
    assert(!quiet[me] || limit <= MAXP || S0 != events || lazy || h >= L);
#endif
    /* Nothing is skipped: what is passed and can be seen has been seen by this statement. */
    assert((events & ~given & upto(h) & ~upto(cursor[me])) == 0);
#ifdef STREAM
    i = cursor[me] + 1;
    do
    :: i > h -> break
    :: else -> assert(!has(S0, i) || revision[i] == size(S0 & upto(i))); i++
    od;
    i = 0;
#endif
#ifdef TOLD
    /* One call asks for the horizon, the next one reads; then the cursor goes to whichever is further. */
    if
    :: !asking -> told = h; asking = 1
    :: else ->
        i = (told > h -> told : h);
        assert((events & ~(S0 & upto(h)) & upto(i) & ~upto(cursor[me])) == 0);
        cursor[me] = i; told = 0; asking = 0; i = 0
    fi
#else
    cursor[me] = h
#endif
}
inline reached_in_call() {
    if :: h > delivered && lowest < NOBODY && lowest > 0 -> reached(1) :: else fi;
    if :: h == MAXP && n > 1 && undecided == 0 -> reached(2) :: else fi;
    if :: undecided != 0 && H == 0 && lowest == 0 -> reached(3) :: else fi;
    if :: h > delivered && h <= H && lowest == 0 -> reached(4) :: else fi
}
inline end_call() {
    L = 0; S1 = 0; H = 0; lowest = NOBODY; limit = 0; h = 0; delivered = 0; n = 0; undecided = 0; i = 0; lazy = 0;
#ifdef CRASHES
    L_lsn = 0;
#endif
#ifdef LOG
    S0 = 0;
#endif
#ifdef OWN
    own = 0;
#endif
    quiet[me] = 0
}

proctype reader(byte me) {
    byte S0, L, lowest = NOBODY, S1, H, limit, h, delivered, n, undecided, i;
    bit lazy;                 /* the log writer has not come by */
#ifdef CRASHES
    byte L_lsn;
#endif
#ifdef OWN
    byte own;
#endif
#ifdef TOLD
    byte told;
    bit asking;
#endif
#ifdef BUG_HORIZON_ASKED_PER_ROW
    byte asked, given;
#endif
end:
    do
    :: {
        atomic {
#ifdef OWN
            if :: me == 0 -> calling = 1 :: else fi;
#endif
            take_caller_snapshot();
#ifdef LOG                    /* an older S0 only cuts earlier; the configurations without a log have it */
            d_step { read_sequence() }
#endif
        };
#ifdef BUG_LOCKS_BEFORE_SEQUENCE
        look_at_holders();
#endif
#ifndef LOG
        d_step { read_sequence() };
#endif
#ifdef BUG_SNAPSHOT_BEFORE_LOCKS
        d_step { take_fresh_snapshot() };
#endif
#ifndef BUG_LOCKS_BEFORE_SEQUENCE
        look_at_holders();
#endif
#ifdef BUG_SETTLED_READ_LATER
        d_step { take_fresh_snapshot() };
#endif
#ifdef BUG_HORIZON_ASKED_PER_ROW
        d_step { take_fresh_snapshot(); limit = NOBODY; decide(); asked = h; lowest = NOBODY; read_sequence() };
        look_at_holders();
#endif
        /* All that follows the fresh snapshot concerns the reader alone, so it is one step with it. */
        atomic {
#ifdef TOLD
            limit = NOBODY;
#else
            if :: limit = 1 :: limit = 2 :: limit = NOBODY fi;
#endif
#ifdef CRASHES
            if :: lazy = 0 :: lazy = 1 fi;
#endif
            d_step {
#if !defined(BUG_SNAPSHOT_BEFORE_LOCKS) && !defined(BUG_SETTLED_READ_LATER)
                take_fresh_snapshot();
#endif
                hand_out();
#ifdef OWN
                if :: me == 0 -> calling = 0 :: else fi;
#endif
                end_call()
            }
        }
       }
#ifdef CRASHES
        unless d_step { killed[me] -> killed[me] = 0; end_call() }
#endif
    od
}

/* --- the recorder of the settled horizon ------------------------------------------------------------------------ */
#ifdef RECORDER
/* It reads as a reader does (in one step: the order of the steps is shown with readers), from the horizon on record.
 * It flushes nothing first: its row comes behind all it covers in the log. */
inline settle() {
    lowest = NOBODY;
    each(i, WRITERS)
        if :: holds[i] && published[i] < lowest -> lowest = published[i] :: else fi;
    next(i);
    recording = settled; i = settled + 1;
    do
    :: i <= MAXP && (has(events, i) || (i <= last && i < lowest)) -> recording = i; i++
    :: else -> break
    od;
    recording = (recording == settled -> 0 : recording); i = 0; lowest = 0
}
proctype recorder() {
    byte i, lowest;
end:
    do
    :: d_step { recording == 0 -> settle() }
    :: d_step { recording != 0 && !recorded -> log_record(horizon, recording); recorded = 1 }
    :: d_step { recorded -> settled = recording; recording = 0; recorded = 0 }
    od
}
#endif

/* --- the standby: replays the log in its order, sees no locks -------------------------------------------------- */
#ifdef STANDBY
proctype standby() {
    byte i, h;
end:
    do
    :: d_step { replayed < inserted ->          /* what is sent has been flushed */
        replayed++;
        flushed = (replayed > flushed -> replayed : flushed);
        if
        :: kind[replayed] == commit ->
            assert((value[replayed] & upto(standby_cursor)) == 0);
            standby_events = standby_events | value[replayed]
        :: kind[replayed] == horizon -> standby_settled = value[replayed]
#ifdef BUG_STANDBY_TRUSTS_XIDS
        :: kind[replayed] == running -> standby_running = standby_running | (1 << value[replayed])
        :: kind[replayed] == ended -> standby_running = standby_running & ~(1 << value[replayed])
#endif
        :: else
        fi }
    :: d_step {
        h = standby_cursor; i = h + 1;
        do
        :: i <= MAXP && has(standby_events, i) -> h = i; i++
        :: i <= MAXP && !has(standby_events, i) && i <= standby_settled -> reached(5); h = i; i++
#ifdef BUG_STANDBY_TRUSTS_XIDS
        :: i <= MAXP && !has(standby_events, i) && i > standby_settled &&
           standby_running == 0 && (standby_events >> i) != 0 -> h = i; i++
#endif
        :: else -> break
        od;
        standby_cursor = h; h = 0; i = 0 }
    od
}
#endif

/* --- a crash: what is not flushed is gone, and so is whoever was not prepared ---------------------------------- */
#ifdef CRASHES
inline recover() {
    lost = events; was = last; events = 0; settled = 0; last = 0; sequence_lsn = 0; i = 1;
    do
    :: i > inserted -> break
    :: else ->
        if
        :: i > flushed -> kind[i] = nothing; value[i] = 0
        :: i <= flushed && kind[i] == commit -> events = events | value[i]
        :: i <= flushed && kind[i] == horizon -> settled = value[i]
        :: i <= flushed && kind[i] == sequence -> last = value[i]; sequence_lsn = i
        fi;
        i++
    od;
    covered = last; inserted = flushed;
#ifdef RECORDER
    recording = 0; recorded = 0;
#endif
    each(i, WRITERS)
        if :: phase[i] != prepared -> forget(i) :: else fi;
    next(i);
    each(i, READERS)
        killed[i] = 1;
        assert((lost & ~events & upto(cursor[i])) == 0);     /* nothing delivered is taken back */
        assert((events & ~lost & upto(cursor[i])) == 0);     /* and nothing passed turns up */
    next(i);
    if :: (lost & ~events) != 0 && last < was -> reached(6) :: else fi;
    if :: (events & ~lost) != 0 -> reached(7) :: else fi;
    if :: last > was && phase[0] == prepared -> reached(8) :: else fi;
    lost = 0; was = 0
}
proctype crash() {
    byte i, lost, was;
end:
    do
    :: atomic {
        crashes > 0 -> crashes--;
        do :: flushed < inserted -> flushed++ :: break od;
        d_step { recover() } }
    od
}
#endif

init {
    byte i;
    atomic {
        each(i, WRITERS) run writer(i); next(i);
        each(i, READERS) run reader(i); next(i);
#ifdef RECORDER
        run recorder();
#endif
#ifdef STANDBY
        run standby();
#endif
#ifdef CRASHES
        run crash();
#endif
        skip
    }
}
