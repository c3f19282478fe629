import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { AnswerCache } from '@bascule/service-host';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { MethodsService } from './methods.service.js';

@Controller('payments/methods')
export class MethodsController {
  private readonly answers = new AnswerCache();

  constructor(private readonly methods: MethodsService) {}

  @Get()
  @RequirePermission('assets')
  async methodsFor(
    @Query() query: unknown,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.answer(reply, await this.methods.answer(query, caller));
  }
}
