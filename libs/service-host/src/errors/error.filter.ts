import { validateHeaderValue } from 'node:http';
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@bascule/process';
import { failureOf, failureOfStatus } from './http-failure.js';

/** Status that proxies log for a closed request; no client ever receives it. */
const CLIENT_GONE = 499;

/** Converts every error to the error body of the specification; the error itself is logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    // No failure of the service. The request log has no line, since the answer never completes.
    const isBrokenOff = request.raw.errored !== null && error === request.raw.errored;
    const { status, headers, body } = isBrokenOff ? failureOfStatus(CLIENT_GONE) : failureOf(error);
    const request_id = request.id;
    if (isBrokenOff) this.logger.info({ request_id }, 'request aborted by the client');
    if (status >= 500) this.logger.error({ err: error, request_id }, 'request failed');
    if (reply.sent) return;
    removeInvalidHeaders(reply);
    void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  }
}

/** Removes headers that HTTP cannot carry: they made the first response fail, and would fail the error's too. */
function removeInvalidHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      for (const each of [value].flat()) validateHeaderValue(name, String(each));
    } catch {
      void reply.removeHeader(name);
    }
  }
}
