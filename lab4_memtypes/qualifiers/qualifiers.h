// What qualifiers.cu defines; all pointers are host pointers, to blocks x threads elements.
#pragma once

// To draw from a variable is to read it and add 1 to it. What each thread draws:
void drawFromLocalVar(int* drawn, int blocks, int threads);
void drawFromSharedVar(int* drawn, int blocks, int threads);
void drawFromGlobalVar(int* drawn, int blocks, int threads);
// How many digits had been counted in the array that a thread uses before it came, and how many
// different digits its number has, counted from 1.
void drawFromLocalArray(int* drawn, int* different, int blocks, int threads);
void countInRegisters(int* different, int blocks, int threads);

int readGlobalVar();
void addToGlobalVar(int number);  // by a kernel
void setConstVar(int value);      // by the host
void readConstVar(int* seen, int blocks, int threads);

// Demonstrations of what must not be done.
void readStaleVar(int* seen, int threads);
void storeToConstVar(int value);  // by a kernel
