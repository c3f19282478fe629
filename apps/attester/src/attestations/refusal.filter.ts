import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Refusal, REFUSAL_STATUS } from './refusal.js';

@Catch(Refusal)
export class RefusalFilter implements ExceptionFilter<Refusal> {
  catch(refusal: Refusal, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply
      .code(REFUSAL_STATUS[refusal.code])
      .type('application/json; charset=utf-8')
      .send(refusal.body());
  }
}
