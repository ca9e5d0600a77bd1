// A kernel in the form of common course kits: their names, their nine parameters, no host side.
#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

// Compute C = A * B
__global__ void matrixMultiplyShared(float* A, float* B, float* C, int numARows, int numAColumns,
                                     int numBRows, int numBColumns, int numCRows, int numCColumns) {
    __shared__ float subTileA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float subTileB[TILE_WIDTH][TILE_WIDTH];

    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int col = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float sum = 0;

    for (int m = 0; m < (numAColumns - 1) / TILE_WIDTH + 1; m++) {
        if (row < numARows && m * TILE_WIDTH + threadIdx.x < numAColumns)
            subTileA[threadIdx.y][threadIdx.x] =
                A[row * numAColumns + m * TILE_WIDTH + threadIdx.x];
        else
            subTileA[threadIdx.y][threadIdx.x] = 0;
        if (m * TILE_WIDTH + threadIdx.y < numBRows && col < numBColumns)
            subTileB[threadIdx.y][threadIdx.x] =
                B[(m * TILE_WIDTH + threadIdx.y) * numBColumns + col];
        else
            subTileB[threadIdx.y][threadIdx.x] = 0;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += subTileA[threadIdx.y][i] * subTileB[i][threadIdx.x];
        __syncthreads();
    }
    if (row < numCRows && col < numCColumns) C[row * numCColumns + col] = sum;
}
