import { Inject, Injectable } from '@nestjs/common';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { unauthenticated } from '@bascule/contracts';
import type { Reloadable } from '@bascule/process';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';

export interface LinkClaims {
  paymentId: string;
  organisationId: string;
}

/** Kind of a payment's link; the token of one kind does not open the other. */
export type LinkKind = 'funding' | 'return';

const CLOCK_DRIFT_SECONDS = 30;

/** Verifies the tokens of payments' links, signed by the payment service. */
@Injectable()
export class LinkTokensService {
  private readonly keys: Reloadable<JWTVerifyGetKey>;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig) {
    this.keys = config.fundingTokenKeys.map<JWTVerifyGetKey>((keys) => createLocalJWKSet(keys));
  }

  /** @throws ServiceError `unauthenticated` unless the token is of this kind and for this payment */
  async verify(token: string | undefined, kind: LinkKind, paymentId: string): Promise<LinkClaims> {
    if (token === undefined) throw refused();
    const { payload } = await jwtVerify(token, this.keys.current, {
      algorithms: ['EdDSA'],
      issuer: 'payment',
      audience: kind,
      clockTolerance: CLOCK_DRIFT_SECONDS,
    }).catch((cause: unknown) => {
      throw Object.assign(refused(), { cause });
    });
    const organisationId = payload.org_id;
    if (payload.payment_id !== paymentId || typeof organisationId !== 'string') throw refused();
    return { paymentId, organisationId };
  }
}

const refused = () => unauthenticated('The link of this payment is not valid.');
