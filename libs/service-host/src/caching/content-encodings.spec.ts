import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { chooseEncoding, encode, encodingFor } from './content-encodings.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['gzip;q=0.1, identity;q=0.9', 'identity'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [', ,gzip ; q=1', 'gzip'],
  ])('answers "%s" with %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe('encode', () => {
  const bytes = Buffer.from('{"ü":"ä"}'.repeat(500));

  it('compresses in a form that the client can decompress', async () => {
    const [packedByGzip, packedByBrotli] = [await encode(bytes, 'gzip'), await encode(bytes, 'br')];
    expect(gunzipSync(packedByGzip)).toEqual(bytes);
    expect(brotliDecompressSync(packedByBrotli)).toEqual(bytes);
    expect(Math.max(packedByGzip.length, packedByBrotli.length)).toBeLessThan(bytes.length / 10);
  });

  it('is skipped if it would save nothing', () => {
    expect(encodingFor(Buffer.from('{}'), 'br')).toBe('identity');
    expect(encodingFor(bytes, 'br')).toBe('br');
  });
});
