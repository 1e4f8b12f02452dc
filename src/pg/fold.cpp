#include "pg/postgres.hpp"

#include "pg/fold.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

namespace {

// Two contexts in turn: the new state is made from the old one.
struct Folder {
    DestReceiver receiver;
    CallerFunction *step;
    const RowName *row_name;
    detail::RowFilter filter;
    void *closure;
    TupleDesc row_type;
    MemoryContext holds_state;
    MemoryContext spare;
    Datum state;
};

void keep(Folder &folder, Datum state)
{
    if (state == folder.state)
        return;
    MemoryContext const outer = MemoryContextSwitchTo(folder.spare);
    folder.state = PointerGetDatum(PG_DETOAST_DATUM_COPY(state));
    MemoryContextSwitchTo(outer);
    MemoryContextReset(folder.holds_state);
    std::swap(folder.holds_state, folder.spare);
}

struct At {
    ErrorContextCallback callback;
    const Folder *folder;
    TupleTableSlot *row;
};

// Called while an error is being raised.
void name_row(void *arg)
{
    At const &at = *static_cast<At *>(arg);
    RowName const &name = *at.folder->row_name;
    FoundRow const row(at.row);
    std::string_view const text = row.text(name.text);
    errcontext(name.format, pnstrdup(text.data(), text.size()),
               static_cast<long long>(row.bigint(name.number)));
}

Datum step(const Folder &folder, TupleTableSlot *slot)
{
    slot_getallattrs(slot);
    HeapTuple const row = heap_form_tuple(folder.row_type, slot->tts_values, slot->tts_isnull);
    At at{.callback = {.previous = error_context_stack, .callback = name_row, .arg = &at},
          .folder = &folder,
          .row = slot};
    error_context_stack = &at.callback;
    Datum const state = folder.step->call_from_server(folder.state, HeapTupleGetDatum(row));
    error_context_stack = at.callback.previous;
    return state;
}

bool receive(TupleTableSlot *slot, DestReceiver *self)
{
    Folder &folder = *reinterpret_cast<Folder *>(self);
    MemoryContext const outer = MemoryContextSwitchTo(folder.step->memory());
    MemoryContextReset(folder.step->memory());
    if (folder.filter(FoundRow(slot), folder.closure))
        keep(folder, step(folder, slot));
    MemoryContextSwitchTo(outer);
    return true;
}

MemoryContext state_context()
{
    return AllocSetContextCreate(CurrentMemoryContext, "arbiter fold", ALLOCSET_DEFAULT_SIZES);
}

} // namespace

Datum detail::fold(Statement &statement, std::initializer_list<Value> values, Sees sees,
                   CallerFunction &step, const RowName &row_name, Datum initial, RowFilter filter,
                   void *closure)
{
    Folder folder{.receiver = {.receiveSlot = receive,
                               .rStartup = [](DestReceiver *, int, TupleDesc) {},
                               .rShutdown = [](DestReceiver *) {},
                               .rDestroy = [](DestReceiver *) {},
                               .mydest = DestNone},
                  .step = &step,
                  .row_name = &row_name,
                  .filter = filter,
                  .closure = closure,
                  .row_type = nullptr,
                  .holds_state = nullptr,
                  .spare = nullptr,
                  .state = initial};
    call([&] {
        folder.row_type = lookup_rowtype_tupdesc_copy(step.second_type(), -1);
        folder.holds_state = state_context();
        folder.spare = state_context();
    });
    Spi spi;
    spi.run_into(&folder.receiver, statement, values, sees);
    return folder.state;
}

} // namespace arbiter::pg
