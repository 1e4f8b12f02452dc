#include "pg/postgres_worker.hpp"

#include "pg/worker.hpp"

#include "pg/guard.hpp"
#include "pg/wait_event.hpp"

namespace arbiter::pg {

namespace {

BackgroundWorker describe(const WorkerKind &kind, const char *name)
{
    BackgroundWorker worker{};
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    strlcpy(worker.bgw_library_name, "arbiter", sizeof worker.bgw_library_name);
    strlcpy(worker.bgw_function_name, kind.function, sizeof worker.bgw_function_name);
    strlcpy(worker.bgw_name, name, sizeof worker.bgw_name);
    strlcpy(worker.bgw_type, kind.type, sizeof worker.bgw_type);
    return worker;
}

} // namespace

bool is_preloading() noexcept
{
    return process_shared_preload_libraries_in_progress;
}

bool is_being_upgraded() noexcept
{
    return IsBinaryUpgrade;
}

void register_worker(const WorkerKind &kind)
{
    BackgroundWorker worker = describe(kind, kind.type);
    worker.bgw_restart_time = 1;
    call([&] { RegisterBackgroundWorker(&worker); });
}

bool start_worker(const WorkerKind &kind, const std::string &name, std::int32_t argument)
{
    BackgroundWorker worker = describe(kind, name.c_str());
    worker.bgw_restart_time = BGW_NEVER_RESTART;
    worker.bgw_notify_pid = MyProcPid;
    worker.bgw_main_arg = Int32GetDatum(argument);
    return call([&] {
        BackgroundWorkerHandle *handle = nullptr;
        pid_t process = 0;
        if (!RegisterDynamicBackgroundWorker(&worker, &handle))
            return false;
        return WaitForBackgroundWorkerStartup(handle, &process) == BGWH_STARTED;
    });
}

void begin_worker()
{
    pqsignal(SIGTERM, die);
    pqsignal(SIGHUP, SignalHandlerForConfigReload);
    BackgroundWorkerUnblockSignals();
}

void at_end_of_process(void (*function)())
{
    call([=] {
        before_shmem_exit(
            [](int, Datum argument) { reinterpret_cast<void (*)()>(DatumGetPointer(argument))(); },
            PointerGetDatum(reinterpret_cast<void *>(function)));
    });
}

void end_worker()
{
    proc_exit(0);
}

bool heed_signals()
{
    return call([] {
        CHECK_FOR_INTERRUPTS();
        bool const is_to_reload = ConfigReloadPending;
        ConfigReloadPending = false;
        if (is_to_reload)
            ProcessConfigFile(PGC_SIGHUP);
        return is_to_reload;
    });
}

void pause(Duration time, WaitEvent event)
{
    auto const rest = std::chrono::ceil<std::chrono::milliseconds>(time).count();
    if (rest <= 0)
        return;
    call([=] {
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, static_cast<long>(rest),
                  wait_event_info(event));
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    });
}

void log(const std::string &message, const std::string &hint)
{
    char const *const words = message.c_str();
    char const *const advice = hint.empty() ? nullptr : hint.c_str();
    call([=] { ereport(LOG, (errmsg_internal("%s", words), advice ? errhint("%s", advice) : 0)); });
}

} // namespace arbiter::pg
