// The list of what the threads of a kernel did, which no hook hears of.
#pragma once

struct NotedStep {
    int actor, what, place;  // the actor's number in the grid; what it did, and with which element
};
constexpr int kMostSteps = 4000;
extern NotedStep notedSteps[kMostSteps];
extern int notedCount;

// Adds a step; not one of an actor below 0.
void noteStep(int actor, int what, int place);
