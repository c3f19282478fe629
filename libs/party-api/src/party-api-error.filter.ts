import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PartyApiError } from './party-api-error.js';

/** Answers a `PartyApiError` with its own status and body instead of Bascule's error format. */
@Catch(PartyApiError)
export class PartyApiErrorFilter implements ExceptionFilter<PartyApiError> {
  catch(error: PartyApiError, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply.code(error.status).type('application/json; charset=utf-8').send(error.body());
  }
}
