import { createSocket } from 'node:dgram';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;

export interface DnsRecord {
  type: keyof typeof TYPES;
  value: string;
}

export interface NameServer {
  address: string;
  /** Number of A queries per name. */
  asked: Map<string, number>;
  stop(): Promise<void>;
}

/** Name server on the loopback interface: `records` returns the records of a name at its n-th A query. */
export async function startNameServer(
  records: (name: string, n: number) => DnsRecord[],
): Promise<NameServer> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const before = asked.get(name) ?? 0;
    if (type === TYPES.A) asked.set(name, before + 1);
    const answers = records(name, before).filter(
      (record) => TYPES[record.type] === type || record.type === 'CNAME',
    );
    socket.send(answer(query.subarray(0, end), answers), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        socket.close(resolve);
      }),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(question: Buffer, records: readonly DnsRecord[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8580, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...chained(records)]);
}

/** Each alias answers for the question's name, what follows it for the alias. */
function chained(records: readonly DnsRecord[]): Buffer[] {
  let owner: Buffer = Buffer.from([0xc0, 12]);
  return records.map(({ type, value }) => {
    const data = type === 'CNAME' ? nameOf(value) : addressOf(value);
    const meta = Buffer.alloc(10);
    meta.writeUInt16BE(TYPES[type], 0);
    meta.writeUInt16BE(1, 2);
    meta.writeUInt16BE(data.length, 8);
    const record = Buffer.concat([owner, meta, data]);
    if (type === 'CNAME') owner = data;
    return record;
  });
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function addressOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const groups = [
    ...(before ?? []),
    ...Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0'),
    ...(after ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
