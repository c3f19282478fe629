import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SolverBehaviour } from '../control/solver-behaviour.service.js';

/** A dead solver answers nobody: connections end without a word. */
@Injectable()
export class AliveGuard implements CanActivate {
  constructor(private readonly behaviour: SolverBehaviour) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.behaviour.isDead) return true;
    context.switchToHttp().getResponse<FastifyReply>().raw.destroy();
    return false;
  }
}
