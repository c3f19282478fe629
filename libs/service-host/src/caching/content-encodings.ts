import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Encodings by preference. */
const PACKED = ['br', 'gzip'] as const;
/** Minimum size for compression; less saves no packet. */
const WORTH_PACKING_BYTES = 1024;

// Runs once per revision, so slower than the fastest; the best quality takes seconds for a megabyte.
const BROTLI_QUALITY = 5;

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

function qualities(acceptEncoding: string): ReadonlyMap<string, number> {
  const entries = acceptEncoding.split(',').map((part): [string, number] => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const value = quality === undefined ? 1 : Number(quality.slice(2));
    return [name, Number.isNaN(value) ? 0 : value];
  });
  return new Map(entries);
}

/** Returns the best encoding that the client accepts (RFC 9110, 12.5.3); plain bytes if it names none. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const accepted = qualities(acceptEncoding);
  const qualityOf = (name: string): number => accepted.get(name) ?? accepted.get('*') ?? 0;
  const [best] = PACKED.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  if (best === undefined || qualityOf(best) <= 0) return 'identity';
  return (accepted.get('identity') ?? 0) > qualityOf(best) ? 'identity' : best;
}

/** Returns the encoding to use for bytes if the client prefers `wanted`. */
export const encodingFor = (bytes: Buffer, wanted: Encoding): Encoding =>
  bytes.length < WORTH_PACKING_BYTES ? 'identity' : wanted;

export async function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(bytes);
  if (encoding === 'br') {
    return brotlied(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    });
  }
  return bytes;
}
