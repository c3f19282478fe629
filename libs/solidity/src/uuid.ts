import type { Hex } from 'viem';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BYTES16 = /^0x[0-9a-f]{32}$/;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** @throws RangeError unless `uuid` is a UUID in lower case. */
export function uuidToBytes16(uuid: string): Hex {
  if (!isUuid(uuid)) throw new RangeError(`not a UUID in lower case: ${uuid}`);
  return `0x${uuid.replaceAll('-', '')}`;
}

/** @throws RangeError unless `bytes` are 16 bytes. */
export function bytes16ToUuid(bytes: Hex): string {
  const lower = bytes.toLowerCase();
  if (!BYTES16.test(lower)) throw new RangeError(`not 16 bytes: ${bytes}`);
  const digits = lower.slice(2);
  const groups = [0, 8, 12, 16, 20, 32].map((start, index, starts) =>
    digits.slice(start, starts[index + 1]),
  );
  return groups.slice(0, 5).join('-');
}
