import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '@bascule/process';
import { failureOf, failureOfStatus } from './http-failure.js';

/** As proxies log it; no client ever sees it. */
const CLIENT_GONE = 499;

/** Every error of every route leaves as the specification's error body; what it really was goes to the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    // Nothing went wrong here. The request has no line of its own in the log, since no answer to it ends.
    const isBrokenOff = request.raw.errored !== null && error === request.raw.errored;
    const { status, body } = isBrokenOff ? failureOfStatus(CLIENT_GONE) : failureOf(error);
    const request_id = request.id;
    if (isBrokenOff) this.logger.info({ request_id }, 'the client broke off its request');
    if (status >= 500) this.logger.error({ err: error, request_id }, 'request failed');
    if (reply.sent) return;
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    void reply.code(status).type('application/json; charset=utf-8').send(body);
  }
}
