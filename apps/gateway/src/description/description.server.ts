import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerCache } from '@bascule/service-host';
import type { RateLimitsService } from '../limits/rate-limits.service.js';
import { readDescription, readerFiles, type ReaderFile } from './description-files.adapter.js';

/** All that is served belongs to this release. */
const ANSWER = { revision: 0, cacheControl: 'public, max-age=300' };

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

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Serves the OpenAPI document and its reader to everybody; both come from memory.
 * @returns paths, all with `GET` alone
 */
export function serveDescription(instance: FastifyInstance, limits: RateLimitsService): string[] {
  const files = readerFiles();
  const answers = new AnswerCache();
  get(instance, limits, '/openapi.json', documentSender(answers));
  for (const file of files) get(instance, limits, file.path, fileSender(file, answers));
  return ['/openapi.json', ...files.map(({ path }) => path)];
}

function get(instance: FastifyInstance, limits: RateLimitsService, url: string, send: Send): void {
  instance.route({
    method: 'GET',
    url,
    exposeHeadRoute: true,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await limits.takeKeyless(1, request, reply);
    },
    handler: send,
  });
}

function documentSender(answers: AnswerCache): Send {
  const description = readDescription();
  return async (_request, reply) => {
    // The document is public even where the pages that may use the API are listed.
    void reply.header('access-control-allow-origin', '*');
    await answers.answer(reply, { ...ANSWER, key: 'openapi', body: () => description });
    return reply;
  };
}

function fileSender({ path, type, bytes }: ReaderFile, answers: AnswerCache): Send {
  return async (_request, reply) => {
    void reply
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    await answers.answer(reply, { ...ANSWER, key: path, type, body: () => bytes });
    return reply;
  };
}
