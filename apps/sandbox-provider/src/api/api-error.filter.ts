import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { API_ERROR_STATUS, ApiError } from '../wire/api-error.js';

/** A foreign API has its own error bodies; ours must not depend on them looking like our own. */
@Catch(ApiError)
export class ApiErrorFilter implements ExceptionFilter<ApiError> {
  catch(error: ApiError, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply
      .code(API_ERROR_STATUS[error.code])
      .type('application/json; charset=utf-8')
      .send(error.body());
  }
}
