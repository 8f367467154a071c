; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels as compilers make them for AMD's GPUs. kernels.jsonl has the question about each and its verdicts.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

; OpenCL: out[j * M + i] = in[i * N + j]
define amdgpu_kernel void @transpose(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %M, i32 %N) {
entry:
  %id1 = tail call i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %id1 to i32
  %id0 = tail call i64 @_Z13get_global_idj(i32 0)
  %j = trunc i64 %id0 to i32
  %row = icmp slt i32 %i, %M
  %column = icmp slt i32 %j, %N
  %inside = select i1 %row, i1 %column, i1 false
  br i1 %inside, label %move, label %end

move:
  %begin = mul nsw i32 %i, %N
  %from = add nsw i32 %begin, %j
  %from64 = sext i32 %from to i64
  %load = getelementptr inbounds float, ptr addrspace(1) %in, i64 %from64
  %value = load float, ptr addrspace(1) %load, align 4
  %top = mul nsw i32 %j, %M
  %to = add nsw i32 %top, %i
  %to64 = sext i32 %to to i64
  %store = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to64
  store float %value, ptr addrspace(1) %store, align 4
  br label %end

end:
  ret void
}

; HIP, optimized, of code object version 4: threads of a block from the dispatch packet, a local variable in its own
; address space, and the number of blocks as threads of the grid over threads of a block
define amdgpu_kernel void @grid_stride(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %N) {
entry:
  %place = alloca i32, align 4, addrspace(5)
  %packet = tail call align 4 dereferenceable(64) ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %threads_at = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 4
  %threads16 = load i16, ptr addrspace(4) %threads_at, align 4
  %threads = zext nneg i16 %threads16 to i32
  %grid_at = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 12
  %grid = load i32, ptr addrspace(4) %grid_at, align 4
  %block = tail call i32 @llvm.amdgcn.workgroup.id.x()
  %thread = tail call i32 @llvm.amdgcn.workitem.id.x()
  %begin = mul i32 %block, %threads
  %first = add i32 %begin, %thread
  store i32 %first, ptr addrspace(5) %place, align 4
  br label %loop

loop:
  %e = load i32, ptr addrspace(5) %place, align 4
  %inside = icmp slt i32 %e, %N
  br i1 %inside, label %move, label %end

move:
  %e64 = sext i32 %e to i64
  %load = getelementptr inbounds float, ptr addrspace(1) %in, i64 %e64
  %value = load float, ptr addrspace(1) %load, align 4
  %store = getelementptr inbounds float, ptr addrspace(1) %out, i64 %e64
  store float %value, ptr addrspace(1) %store, align 4
  %next = add i32 %e, %grid
  store i32 %next, ptr addrspace(5) %place, align 4
  br label %loop

end:
  ret void
}

; As grid_stride for one element per thread, but with the threads of a block in y, 6 bytes into the packet
define amdgpu_kernel void @wrong_axis(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %N) {
entry:
  %packet = tail call align 4 dereferenceable(64) ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %threads_at = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 6
  %threads16 = load i16, ptr addrspace(4) %threads_at, align 2
  %threads = zext nneg i16 %threads16 to i32
  %block = tail call i32 @llvm.amdgcn.workgroup.id.x()
  %thread = tail call i32 @llvm.amdgcn.workitem.id.x()
  %begin = mul i32 %block, %threads
  %e = add i32 %begin, %thread
  %inside = icmp slt i32 %e, %N
  br i1 %inside, label %move, label %end

move:
  %e64 = sext i32 %e to i64
  %load = getelementptr inbounds float, ptr addrspace(1) %in, i64 %e64
  %value = load float, ptr addrspace(1) %load, align 4
  %store = getelementptr inbounds float, ptr addrspace(1) %out, i64 %e64
  store float %value, ptr addrspace(1) %store, align 4
  br label %end

end:
  ret void
}

; A vector of indices, which cannot be followed
define amdgpu_kernel void @vectors(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %N) {
  %thread = tail call i32 @llvm.amdgcn.workitem.id.x()
  %one = insertelement <2 x i32> poison, i32 %thread, i64 0
  %two = insertelement <2 x i32> %one, i32 %N, i64 1
  %sum = add <2 x i32> %two, <i32 0, i32 1>
  %e = extractelement <2 x i32> %sum, i64 0
  %e64 = sext i32 %e to i64
  %store = getelementptr inbounds float, ptr addrspace(1) %out, i64 %e64
  store float 0.0, ptr addrspace(1) %store, align 4
  ret void
}

declare i64 @_Z13get_global_idj(i32)
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
