// What a random kernel's threads do, and which threads there are.
#pragma once

namespace random_kernel {

constexpr int kBlocks = 2, kThreads = 64, kSteps = 14;
// These threads act, the others only come to barriers. Two of them are of one half of a warp, a
// third one is of its other half.
constexpr int kActing[] = {0, 5, 20, 40}, kActors = 4, kPlaces = 2, kHands = 4;

enum What {
    Nothing,
    LoadShared,
    StoreShared,
    LoadGlobal,
    StoreGlobal,
    StoreSame,
    LoadSame,
    LoadFlag,  // plain
    LoadVolatile,
    StoreVolatile,
    Add,
    Exchange,
    LoadAcquire,
    StoreRelease,
    CompareAndSwap,  // the guide's loop
    Fence,
    FenceOfBlock,
    HandExchange,  // a fence and an exchange of a hand, which one thread alone sets
    HandRelease,
    AwaitAcquire,  // until the hand is set
    AwaitVolatile,
    Copy,       // of g to s, asynchronously
    CopyBound,  // bound to the barrier that is an object
    Commit,
    WaitForAll,
    WaitButOne,  // but for the group that was committed last
    kAlone,
    Barrier = kAlone,
    BarrierObject,
    SyncWarp,
    SyncHalf,
    SyncBlock,  // of a group, as a barrier
    SyncTile,   // of a group, as __syncwarp of a half
    Shuffle,    // which orders nothing
    kWhats
};

}  // namespace random_kernel
