// Declares the functions of qualifiers.cu; all pointers are host pointers, to blocks x threads
// elements.
#pragma once

// Fill drawn with the number that each thread draws from a variable, reading it and adding 1 to it.
void drawFromLocalVar(int* drawn, int blocks, int threads);
void drawFromSharedVar(int* drawn, int blocks, int threads);
void drawFromGlobalVar(int* drawn, int blocks, int threads);
// Fill different with the number of different digits in each thread's number, counted from 1. drawn
// holds how many digits the thread's array had counted before.
void drawFromLocalArray(int* drawn, int* different, int blocks, int threads);
void countInRegisters(int* different, int blocks, int threads);

int readGlobalVar();
void addToGlobalVar(int number);  // by a kernel
void setConstVar(int value);      // by the host
void readConstVar(int* seen, int blocks, int threads);

// Show mistakes on purpose.
void readStaleVar(int* seen, int threads);
void storeToConstVar(int value);  // by a kernel
