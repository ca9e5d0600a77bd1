// The tiled kernel of ../bench/bench.cu in OpenCL.
#define TILE 16

kernel void tiled(global const float* M, global const float* N, global float* P, int Width) {
    local float Mds[TILE][TILE];
    local float Nds[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int Row = get_group_id(1) * TILE + ty, Col = get_group_id(0) * TILE + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / TILE; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * TILE + tx];
        Nds[ty][tx] = N[(ph * TILE + ty) * Width + Col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    P[Row * Width + Col] = Pvalue;
}
