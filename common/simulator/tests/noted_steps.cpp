#include "noted_steps.h"

NotedStep notedSteps[kMostSteps];
int notedCount = 0;

void noteStep(int actor, int what, int place) {
    if (actor >= 0 && notedCount < kMostSteps) notedSteps[notedCount++] = {actor, what, place};
}
