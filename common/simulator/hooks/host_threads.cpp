// Locks, semaphores and threads of host code: the build renames a .cu file's calls of these
// functions (see redirected.syms). In a test, a jump releases the locks, and threads are refused.
#include <cxxabi.h>
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <iterator>

#include "simulator/engine/faults.h"
#include "simulator/engine/held_locks.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker.h"

namespace {

template <class Lock, auto release>
void note(Lock* lock) {
    if (cusim::heldLocks && !cusimWorker)
        cusim::heldLocks->push_back({lock, [](void* one) { release(static_cast<Lock*>(one)); }});
}

void forget(const void* lock) {
    if (!cusim::heldLocks || cusimWorker) return;
    std::vector<cusim::HeldLock>& held = *cusim::heldLocks;
    const auto last = std::find_if(held.rbegin(), held.rend(),
                                   [&](const cusim::HeldLock& one) { return one.lock == lock; });
    if (last != held.rend()) held.erase(std::prev(last.base()));
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
#define CUSIM_TAKE_LOCK(name, Lock, take, taken, release)       \
    int name(Lock* lock) {                                      \
        if (!cusimWorker) cusim::Waits::instance().hostLocks(); \
        const int result = take(lock);                          \
        if (result == (taken)) note<Lock, release>(lock);       \
        return result;                                          \
    }
#define CUSIM_GIVE_LOCK(name, Lock, Result, give) \
    Result name(Lock* lock) {                     \
        forget(lock);                             \
        return give(lock);                        \
    }

extern "C" {

CUSIM_TAKE_LOCK(cusimLock_mutex, pthread_mutex_t, pthread_mutex_lock, 0, pthread_mutex_unlock)
CUSIM_TAKE_LOCK(cusimLock_tryMutex, pthread_mutex_t, pthread_mutex_trylock, 0, pthread_mutex_unlock)
CUSIM_GIVE_LOCK(cusimLock_giveMutex, pthread_mutex_t, int, pthread_mutex_unlock)
CUSIM_TAKE_LOCK(cusimLock_write, pthread_rwlock_t, pthread_rwlock_wrlock, 0, pthread_rwlock_unlock)
CUSIM_TAKE_LOCK(cusimLock_read, pthread_rwlock_t, pthread_rwlock_rdlock, 0, pthread_rwlock_unlock)
CUSIM_GIVE_LOCK(cusimLock_giveReadWrite, pthread_rwlock_t, int, pthread_rwlock_unlock)
// Without this, a static variable waits for ever for an initial value whose computation a jump
// left.
CUSIM_TAKE_LOCK(cusimLock_variable, abi::__guard, abi::__cxa_guard_acquire, 1,
                abi::__cxa_guard_abort)
CUSIM_GIVE_LOCK(cusimLock_variableSet, abi::__guard, void, abi::__cxa_guard_release)
CUSIM_GIVE_LOCK(cusimLock_variableLeft, abi::__guard, void, abi::__cxa_guard_abort)

int cusimWait_semaphore(sem_t* semaphore) {
    cusim::Waits::instance().hostLocks();
    return sem_wait(semaphore);
}
int cusimWait_semaphoreUntil(sem_t* semaphore, const timespec* end) {
    cusim::Waits::instance().hostLocks();
    return sem_timedwait(semaphore, end);
}

// Called by std::thread and std::async: std::thread::_M_start_thread.
void startThread(void* thread, void* state, void (*depend)()) __asm__(
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void cusimThread_start(void* thread, void* state, void (*depend)()) {
    cusim::refuseThread();
    startThread(thread, state, depend);
}
int cusimThread_create(pthread_t* thread, const pthread_attr_t* how, void* (*start)(void*),
                       void* argument) {
    cusim::refuseThread();
    return pthread_create(thread, how, start, argument);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
