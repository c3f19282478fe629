import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerCache, isKnown } from '@bascule/service-host';
import type { RateLimitsService } from '../limits/rate-limits.service.js';
import { readDescription, readerFiles, type ReaderFile } from './description-files.adapter.js';

const CACHE_CONTROL = 'public, max-age=300';

/** Lets the page load and call this origin alone; Swagger UI sets styles and images of its own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const compress = promisify(gzip);

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Serves the OpenAPI document and its reader to everybody; both come from memory.
 * @returns paths, all with `GET` alone
 */
export function serveDescription(instance: FastifyInstance, limits: RateLimitsService): string[] {
  const files = readerFiles();
  get(instance, limits, '/openapi.json', documentSender());
  for (const file of files) get(instance, limits, file.path, fileSender(file));
  return ['/openapi.json', ...files.map(({ path }) => path)];
}

function get(instance: FastifyInstance, limits: RateLimitsService, url: string, send: Send): void {
  instance.route({
    method: 'GET',
    url,
    exposeHeadRoute: true,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limits.takeKeyless(request, reply);
    },
    handler: send,
  });
}

function documentSender(): Send {
  const answers = new AnswerCache();
  const description = readDescription();
  return async (_request, reply) => {
    // The document is public even where the pages that may use the API are listed.
    void reply.header('access-control-allow-origin', '*');
    await answers.answer(reply, {
      key: 'openapi',
      revision: 0,
      cacheControl: CACHE_CONTROL,
      body: () => description,
    });
    return reply;
  };
}

function fileSender({ bytes, type }: ReaderFile): Send {
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  let compressed: Promise<Buffer> | undefined;
  return async ({ headers }, reply) => {
    void reply
      .header('etag', tag)
      .header('cache-control', CACHE_CONTROL)
      .header('vary', 'Accept-Encoding')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send();
    void reply.type(type);
    if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return reply.send(bytes);
    compressed ??= compress(bytes);
    return reply.header('content-encoding', 'gzip').send(await compressed);
  };
}
