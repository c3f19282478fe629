const SEED = 0x9747b28c;
const M = 0x5bd1e995;
const R = 24;

/** MurmurHash2 as Kafka's clients compute it: a signed 32-bit integer. */
export function murmur2(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const blocks = data.byteLength >>> 2;
  let hash = SEED ^ data.byteLength;
  for (let block = 0; block < blocks; block += 1) {
    let k = view.getInt32(block * 4, true);
    k = Math.imul(k, M);
    k ^= k >>> R;
    k = Math.imul(k, M);
    hash = Math.imul(hash, M) ^ k;
  }
  const tail = blocks * 4;
  const left = data.byteLength - tail;
  if (left >= 3) hash ^= view.getUint8(tail + 2) << 16;
  if (left >= 2) hash ^= view.getUint8(tail + 1) << 8;
  if (left >= 1) {
    hash ^= view.getUint8(tail);
    hash = Math.imul(hash, M);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, M);
  hash ^= hash >>> 15;
  return hash | 0;
}

/** The partition that Kafka's default partitioner gives a key. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key, 'utf8')) & 0x7fffffff) % partitions;
}
