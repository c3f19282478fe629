import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Maximum size of an opened token; stops a decompression bomb. */
export const MAX_INFLATED_BYTES = 2 * 1024 * 1024;

export const compress = (text: string): Promise<Buffer> => deflate(text);

export async function decompress(bytes: Uint8Array): Promise<string> {
  const inflated = await inflate(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  return inflated.toString('utf8');
}
