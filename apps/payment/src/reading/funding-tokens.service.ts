import { Inject, Injectable } from '@nestjs/common';
import { importJWK, SignJWT } from 'jose';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';

const ALGORITHM = 'EdDSA';
const CAPACITY = 10_000;

/**
 * Signs links to funding pages. A link lets its holder see and fund one payment; the gateway verifies it. Links never
 * expire, since late money is recovered through the same page.
 */
@Injectable()
export class FundingTokensService {
  private readonly key: ReturnType<typeof importJWK>;
  /** Cache: a payment's token never changes, and signing costs more than reading the payment. */
  private readonly known = new Map<string, string>();

  constructor(@Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig) {
    this.key = importJWK(config.fundingTokenKey, ALGORITHM);
  }

  async of({ id, orgId, createdAt }: PaymentRecord): Promise<string> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const token = await new SignJWT({ payment_id: id, org_id: orgId })
      .setProtectedHeader({ alg: ALGORITHM, kid: this.config.fundingTokenKey.kid })
      .setIssuer('payment')
      .setAudience('funding')
      .setIssuedAt(createdAt)
      .sign(await this.key);
    if (this.known.size >= CAPACITY) this.known.clear();
    this.known.set(id, token);
    return token;
  }
}
