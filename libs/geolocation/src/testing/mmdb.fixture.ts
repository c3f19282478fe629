import ipaddr from 'ipaddr.js';

type Value = string | number | bigint | readonly Value[] | { readonly [key: string]: Value };

export interface Mmdb {
  type?: string;
  ipVersion?: 4 | 6;
  builtAt?: Date;
  /** Records by network, for example `81.2.69.0/24`. */
  records: Readonly<Record<string, Value>>;
}

const RECORD_BITS = 24;
const SEPARATOR_BYTES = 16;
const METADATA_MARKER = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
const TYPES = { string: 2, uint16: 5, uint32: 6, map: 7, uint64: 9, array: 11 } as const;

/** Builds a database in MaxMind's format (version 2.0) from any records. */
export function mmdb({ type = 'Test-City', ipVersion = 6, builtAt, records }: Mmdb): Buffer {
  const tree: [Leaf, Leaf][] = [[null, null]];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [network, record] of Object.entries(records)) {
    insert(tree, bitsOf(network, ipVersion), { offset });
    const encoded = encode(record);
    data.push(encoded);
    offset += encoded.length;
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(Math.floor((builtAt ?? new Date()).getTime() / 1000)),
    database_type: type,
    description: { en: 'for tests' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: tree.length,
    record_size: RECORD_BITS,
  });
  const nodes = tree.flat().map((leaf) => {
    const bytes = Buffer.alloc(RECORD_BITS / 8);
    bytes.writeUIntBE(pointerOf(leaf, tree.length), 0, RECORD_BITS / 8);
    return bytes;
  });
  return Buffer.concat([
    ...nodes,
    Buffer.alloc(SEPARATOR_BYTES),
    ...data,
    METADATA_MARKER,
    metadata,
  ]);
}

type Leaf = number | { offset: number } | null;

function pointerOf(leaf: Leaf, nodeCount: number): number {
  if (leaf === null) return nodeCount;
  return typeof leaf === 'number' ? leaf : nodeCount + SEPARATOR_BYTES + leaf.offset;
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const inIpv6 = ipVersion === 6 && address.kind() === 'ipv4';
  const bytes = [...(inIpv6 ? new Array<number>(12).fill(0) : []), ...address.toByteArray()];
  const bits = bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (byte >> at) & 1));
  return bits.slice(0, length + (inIpv6 ? 96 : 0));
}

function insert(tree: [Leaf, Leaf][], bits: number[], leaf: { offset: number }): void {
  let node = 0;
  for (const [depth, bit] of bits.entries()) {
    const sides = tree[node];
    if (sides === undefined) throw new Error('no such node');
    if (depth === bits.length - 1) {
      sides[bit === 0 ? 0 : 1] = leaf;
      return;
    }
    let next = sides[bit === 0 ? 0 : 1];
    if (typeof next !== 'number') {
      next = tree.push([null, null]) - 1;
      sides[bit === 0 ? 0 : 1] = next;
    }
    node = next;
  }
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'utf8');
    return Buffer.concat([control(TYPES.string, bytes.length), bytes]);
  }
  if (typeof value === 'bigint') return integer(TYPES.uint64, value);
  if (typeof value === 'number')
    return integer(value < 65_536 ? TYPES.uint16 : TYPES.uint32, BigInt(value));
  if (Array.isArray(value))
    return Buffer.concat([control(TYPES.array, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, item]) => [encode(key), encode(item)]);
  return Buffer.concat([control(TYPES.map, entries.length), ...parts]);
}

function integer(type: number, value: bigint): Buffer {
  const hex = value === 0n ? '' : value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([control(type, bytes.length), bytes]);
}

/** Encodes the type and size before a value. */
function control(type: number, size: number): Buffer {
  const [first, ...further] =
    size < 29 ? [size] : size < 285 ? [29, size - 29] : [30, (size - 285) >> 8, (size - 285) & 255];
  if (first === undefined) throw new Error('no size');
  return type <= 7
    ? Buffer.from([(type << 5) | first, ...further])
    : Buffer.from([first, type - 7, ...further]);
}
