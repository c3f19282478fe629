import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyServerOptions } from 'fastify';
import { failureOf, failureOfStatus } from '../errors/http-failure.js';
import { parseQueryString } from './query-string.js';
import { REQUEST_ID_HEADER, requestId } from './request-id.js';

// Longer than the idle time of pooling clients, so that they close connections first.
const KEEP_ALIVE_MS = 72_000;
const REQUEST_ARRIVAL_MS = 60_000;

const STATUS_OF_PARSER: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers malformed HTTP, for which no request exists. */
function answerBrokenClient(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = failureOfStatus(STATUS_OF_PARSER[error.code ?? ''] ?? 400);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

export const fastifyOptions = (bodyLimit: number): FastifyServerOptions => ({
  bodyLimit,
  logger: false,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: REQUEST_ARRIVAL_MS,
  requestIdHeader: false,
  genReqId: requestId,
  clientErrorHandler: answerBrokenClient,
  // A URL that the router cannot parse: no hook has run yet.
  frameworkErrors: (error, request, reply) => {
    const { status, headers, body } = failureOf(error);
    const untyped: FastifyReply = reply;
    void untyped
      .code(status)
      .headers({ ...headers, [REQUEST_ID_HEADER]: request.id })
      .send(body);
  },
  routerOptions: { querystringParser: parseQueryString, ignoreTrailingSlash: false },
});
