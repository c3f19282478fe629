import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { forbidden, unauthenticated } from '@bascule/contracts';
import type { Permission } from '@bascule/contracts';
import { ALLOWED_KINDS, PUBLIC_ROUTE, REQUIRED_PERMISSION, rememberCaller } from './access.js';
import type { Caller, CallerKind } from './caller.js';
import { CLIENT_IP_HEADER, INTERNAL_TOKEN_HEADER, VISITOR_HEADER } from './internal-token.js';
import type { InternalTokenVerifier } from './internal-token-verifier.js';

const API_KEYS: readonly CallerKind[] = ['secret', 'publishable'];

/** Admits requests with the gateway's token and access to the route; without a verifier, none. */
@Injectable()
export class InternalTokenGuard implements CanActivate {
  private readonly reflector = new Reflector();

  constructor(private readonly verifier: InternalTokenVerifier | undefined) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.read<boolean>(PUBLIC_ROUTE, context) === true) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.authenticate(request);
    this.authorise(caller, context);
    rememberCaller(request, caller);
    return true;
  }

  private async authenticate(request: FastifyRequest): Promise<Caller> {
    const token = request.headers[INTERNAL_TOKEN_HEADER];
    if (this.verifier === undefined || typeof token !== 'string') {
      throw unauthenticated('Requests must come through the gateway.');
    }
    const caller = await this.verifier.verify(token);
    const { [CLIENT_IP_HEADER]: clientIp, [VISITOR_HEADER]: visitor } = request.headers;
    return {
      ...caller,
      ...(typeof clientIp === 'string' && { clientIp }),
      ...(typeof visitor === 'string' && { visitor }),
    };
  }

  private authorise(caller: Caller, context: ExecutionContext): void {
    const kinds = this.read<CallerKind[]>(ALLOWED_KINDS, context) ?? API_KEYS;
    if (!kinds.includes(caller.kind)) {
      throw forbidden(
        kinds.length === 1 && kinds[0] === 'secret'
          ? 'A secret key is required.'
          : 'Keys of this kind are not accepted on this route.',
      );
    }
    const permission = this.read<Permission>(REQUIRED_PERMISSION, context);
    if (permission !== undefined && !caller.permissions.includes(permission)) {
      throw forbidden(`The key lacks the permission "${permission}".`);
    }
  }

  private read<T>(key: string, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [
      context.getHandler(),
      context.getClass(),
    ]);
  }
}
