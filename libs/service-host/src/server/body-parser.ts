import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import sjson from 'secure-json-parse';
import { invalidRequest, ServiceError } from '@bascule/contracts';
import { failureOfStatus } from '../errors/http-failure.js';
import { rememberBodyHash } from './body-hash.js';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

interface BodyConfig {
  rawBody?: boolean;
}

/** Route `config` for a body as a Buffer of the raw bytes, whatever the content type. */
export const RAW_BODY: Readonly<BodyConfig> = { rawBody: true };

/** Passes the raw bytes as `@Body()`, whatever the content type: the input of a signature check. */
export const RawBody = () => RouteConfig(RAW_BODY);

const wantsRawBody = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as BodyConfig).rawBody === true;

/** Rejects compressed bodies: they are not JSON, and services could not read them. */
function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new ServiceError('unsupported_media_type', [
    { kind: 'other', message: 'The request body must be sent without a content-encoding.' },
  ]);
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  refuseEncoded(request);
  rememberBodyHash(request, bytes);
  if (wantsRawBody(request)) return bytes;
  if (bytes.length === 0) return undefined;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new ServiceError('unsupported_media_type', failureOfStatus(415).body.errors);
  }
  try {
    return sjson.parse(bytes.toString('utf8'), undefined, {
      protoAction: 'remove',
      constructorAction: 'remove',
    });
  } catch (cause) {
    throw Object.assign(
      invalidRequest({ kind: 'other', message: 'The request body is not valid JSON.' }),
      { cause },
    );
  }
}

/** Accepts JSON only; other bodies are rejected before a handler runs. */
export function useBodyParser(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parseBody(request, typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error('unreadable body', { cause: error }));
    }
  });
}
