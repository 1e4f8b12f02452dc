/* Two runners of one projection, and a crash at any step. What is modelled is what src/projection/ commits in one piece:
 * a turn at the cursor, whose lock another one skips; a batch of one event with its effect, its offset and the cursor; an
 * attempt that is counted before it is made; a mark left before the first batch, by which a session that was lost is
 * noticed. Two streams share the log; an event of the first one may fail, or end its session, any number of times.
 *
 * In every interleaving: an effect happens once; no stream overtakes its blocked event; the cursor is never ahead of what
 * was applied or is held back; an attempt that ended its session was counted; and when the runners have nothing left to do
 * all is applied.
 *
 * Runners differ in nothing that matters here: worker, CALL run_projections and cron send the same.
 */
#ifndef EVENTS
#define EVENTS 4
#endif
#ifndef RUNNERS
#define RUNNERS 2
#endif
#ifndef CRASHES
#define CRASHES 2
#endif
#ifndef FAILURES
#define FAILURES 2
#endif
#define NONE 255
#define FREE 255

/* Position p is revision p/2 of stream p%2. */
#define stream_of(p) ((p) % 2)
#define revision_of(p) ((p) / 2)

/* Committed. */
byte cursor = 0;                 /* the next position to be looked at */
byte offset[2];                  /* the next revision to be applied */
byte held[2] = { NONE, NONE };   /* the revision a stream is held back at */
byte counted[2];                 /* attempts that were counted and have not been made yet */
byte effect[EVENTS];             /* how often */
byte mark = FREE;                /* whose */
byte life[RUNNERS];              /* a session is another one after a crash */
byte marked_life;
byte turn = FREE;                /* who has the cursor's row locked */
byte crashes = CRASHES;
byte failures = FAILURES;
bit caught[3];

#define reached(n) caught[n] = 1
#define lag (cursor < EVENTS)

inline take_turn() {
    atomic { turn == FREE -> turn = me }
}
inline end_turn() { turn = FREE }

/* The effect of position p, its offset, and nothing else. */
inline apply(p) {
    assert(revision_of(p) >= offset[stream_of(p)] || effect[p] == 1);
    if
    :: revision_of(p) < offset[stream_of(p)] -> skip          /* applied before */
    :: else ->
        assert(revision_of(p) == offset[stream_of(p)]);       /* in the order of the stream */
        effect[p]++;
        assert(effect[p] == 1);
        offset[stream_of(p)] = revision_of(p) + 1
    fi
}

/* The process ends here, and a transaction that was open with it. */
#define may_crash :: crashes > 0 -> crashes--; goto lost

/* Whatever comes of it, it was counted, and that is committed. */
inline make_attempt(s) {
    assert(counted[s] > 0); counted[s]--
}
inline give_back(s) {
#ifndef BUG_COUNT_AFTERWARDS
    counted[s]--
#else
    skip
#endif
}
/* A stream that is held back: count, commit, attempt, commit. s is the stream. */
inline retry(s) {
    take_turn();
    d_step {
        if :: held[s] != NONE -> tried = held[s] :: else -> tried = NONE fi;
#ifndef BUG_COUNT_AFTERWARDS
        if :: tried != NONE -> counted[s]++ :: else fi;
#endif
        end_turn()
    }
    if
    :: tried == NONE -> skip
    :: else ->
        take_turn();
        if
        :: atomic { held[s] != tried -> give_back(s); end_turn() }                 /* another one was faster */
        :: atomic { held[s] == tried && failures > 0 && s == 0 ->    /* the handler fails */
            failures--; make_attempt(s); end_turn() }
        :: d_step { held[s] == tried ->                              /* or does not */
            make_attempt(s); apply(tried * 2 + s);
            /* what follows in the stream, up to the cursor, is next */
            if
            :: (tried + 1) * 2 + s < cursor -> held[s] = tried + 1
            :: else -> held[s] = NONE
            fi;
            reached(0); end_turn() }
        :: atomic { held[s] == tried && crashes > 0 ->               /* or ends the session */
            crashes--; make_attempt(s);
            reached(1);
            goto lost }
        fi
    fi
}

/* The mark, then batch after batch. */
inline follow() {
    take_turn();
    d_step {
        tried = 0;
        if
        :: !lag -> tried = NONE
        :: lag && mark != FREE && life[mark] != marked_life ->
            /* who left it is gone: each stream of the batch is tried on its own */
            reached(2);
            if
            :: held[stream_of(cursor)] == NONE -> held[stream_of(cursor)] = revision_of(cursor)
            :: else
            fi;
            cursor++; mark = FREE; tried = NONE
        :: lag && (mark == FREE || life[mark] == marked_life) -> mark = me; marked_life = life[me]
        fi;
        end_turn()
    }
    do
    :: tried == NONE -> break
    :: else ->
        take_turn();
        if
        may_crash
        :: atomic { !lag -> mark = (mark == me -> FREE : mark); tried = NONE; end_turn() }
        :: d_step { lag && held[stream_of(cursor)] != NONE ->        /* comes after it, on its own */
#ifdef BUG_OVERTAKES
            apply(cursor);
#endif
            cursor++; end_turn() }
        :: atomic { lag && held[stream_of(cursor)] == NONE && failures > 0 && stream_of(cursor) == 0 ->
            failures--; held[stream_of(cursor)] = revision_of(cursor); cursor++; end_turn() }
        :: atomic { lag && held[stream_of(cursor)] == NONE ->
#ifdef BUG_TWO_COMMITS
            apply(cursor); end_turn() };
            if
            may_crash
            :: crashes == 0 -> skip
            :: crashes > 0 -> skip
            fi;
            take_turn();
            atomic { cursor++; end_turn() }
#elif defined(BUG_CURSOR_FIRST)
            batch = cursor; cursor++; end_turn() };
            if
            may_crash
            :: true -> skip
            fi;
            take_turn();
            atomic { apply(batch); end_turn() }
#else
            apply(cursor); cursor++; end_turn() }
#endif
        fi
    od
}

proctype runner(byte me) {
    byte tried = NONE;
#ifdef BUG_CURSOR_FIRST
    byte batch = 0;
#endif
again:
    do
    :: held[0] != NONE -> retry(0)
    :: held[1] != NONE -> retry(1)
    :: lag -> follow()
    :: !lag && held[0] == NONE && held[1] == NONE -> break
    od;
    goto over;
lost:
    atomic {
        if :: turn == me -> turn = FREE :: else fi;       /* the row's lock goes with its transaction */
        life[me]++; tried = NONE
    }
    goto again;
over:
    skip
}

/* At every moment. */
proctype watch() {
    byte p;
    atomic {
        p = 0;
        do
        :: p == EVENTS -> break
        :: else ->
            /* the cursor passes what was applied, or what its stream is held back at or behind */
            assert(p >= cursor || effect[p] == 1 || (held[stream_of(p)] != NONE && held[stream_of(p)] <= revision_of(p)));
            assert(effect[p] == (revision_of(p) < offset[stream_of(p)] -> 1 : 0));
            p++
        od
    }
}

init {
    byte r;
    atomic {
        r = 0;
        do :: r == RUNNERS -> break :: else -> run runner(r); r++ od;
        run watch()
    }
    /* All runners have come to an end: so has the work. */
    _nr_pr == 1;
    d_step {
        r = 0;
        do :: r == EVENTS -> break :: else -> assert(effect[r] == 1); r++ od;
#ifdef REACHED
        assert(caught[REACHED - 1] == 0)
#endif
    }
}
