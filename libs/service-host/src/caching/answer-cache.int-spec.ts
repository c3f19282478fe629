import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { Public } from '@bascule/identity';
import type { RunningService } from '../service/service-definition.js';
import { startTestService } from '../testing/service.fixture.js';
import { AnswerCache } from './answer-cache.js';
import { PUBLIC_ANSWER } from './cache-control.js';

const MAX_BYTES = 256 * 1024;
const cache = new AnswerCache({ maxBytes: MAX_BYTES });
const words = Array.from({ length: 400 }, (_, index) => `word ${index}`);
let revision = 1;
let made = 0;
let failure: Error | undefined;

@Public()
@Controller()
class WordsController {
  @Get('words')
  words(@Query('of') of: string | undefined, @Res() reply: FastifyReply): Promise<void> {
    return cache.answer(reply, {
      key: of ?? '',
      revision,
      cacheControl: PUBLIC_ANSWER,
      body: async () => {
        made += 1;
        if (failure !== undefined) throw failure;
        return of === 'few' ? { revision } : { of, revision, words };
      },
    });
  }
}

let service: RunningService;
beforeAll(async () => {
  service = await startTestService({ controllers: [WordsController] });
});
afterAll(() => service.shutdown({ graceMs: 0 }));
afterEach(() => {
  revision += 1;
  made = 0;
  failure = undefined;
});

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Reads the raw bytes, which `fetch` would decompress. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    request(service.url + path, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, bytes: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });

describe('AnswerCache', () => {
  it('creates an answer once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/words')));
    expect(made).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(JSON.parse(answers[0]?.bytes.toString() ?? '')).toEqual({ revision, words });
    expect(answers[0]?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': PUBLIC_ANSWER,
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
  });

  it('compresses an answer as the client accepts, with a tag for each encoding', async () => {
    const plain = await get('/words');
    const brotli = await get('/words', { 'accept-encoding': 'gzip, br' });
    const gzip = await get('/words', { 'accept-encoding': 'gzip' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(made).toBe(1);
  });

  it('leaves an answer plain if compression saves nothing', async () => {
    const { headers, bytes } = await get('/words?of=few', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toEqual({ revision });
  });

  it('answers 304 to a client that has the answer', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const accepting = { 'accept-encoding': encoding };
      const { headers } = await get('/words', accepting);
      const tag = headers.etag ?? '';
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get('/words', { ...accepting, 'if-none-match': known });
        expect({ status: again.status, size: again.bytes.length }).toEqual({
          status: 304,
          size: 0,
        });
        expect(again.headers).toMatchObject({
          etag: tag,
          'cache-control': PUBLIC_ANSWER,
          vary: 'Accept-Encoding',
        });
        expect(again.headers['content-encoding']).toBeUndefined();
      }
      const other = await get('/words', { ...accepting, 'if-none-match': '"other"' });
      expect(other.status).toBe(200);
    }
  });

  it('recreates an answer for a new revision, and changes the tag only with the bytes', async () => {
    const { headers } = await get('/words');
    const known = { 'if-none-match': headers.etag ?? '' };
    revision += 1;
    const changed = await get('/words', known);
    expect(changed.status).toBe(200);
    expect(JSON.parse(changed.bytes.toString())).toMatchObject({ revision });
    expect(made).toBe(2);
    expect((await get('/words', { 'if-none-match': changed.headers.etag ?? '' })).status).toBe(304);
    expect(made).toBe(2);
  });

  it('fails for the waiting requests if an answer cannot be created, and retries for the next one', async () => {
    failure = new Error('not now');
    const failed = await Promise.all([get('/words'), get('/words')]);
    expect(failed.map(({ status }) => status)).toEqual([500, 500]);
    expect(failed[0]?.headers.etag).toBeUndefined();
    failure = undefined;
    expect((await get('/words')).status).toBe(200);
  });

  it('evicts answers beyond its size limit', async () => {
    for (let index = 0; index < 300; index += 1) {
      const { status } = await get(`/words?of=${index}`, { 'accept-encoding': 'gzip' });
      expect(status).toBe(200);
      expect(cache.bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(made).toBe(300);
    await get('/words?of=299');
    expect(made).toBe(300);
    await get('/words?of=0');
    expect(made).toBe(301);
  });
});
