import type { PrivateKey } from '@bascule/identity';
import type { Reloadable } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { importJWK, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';

const ALGORITHM = 'EdDSA';
const CAPACITY = 10_000;

/** `funding` lets the holder see and fund the payment, `return` only see its status and follow its redirect. */
type LinkAudience = 'funding' | 'return';

/**
 * Signs the links of payments; the gateway verifies them, each for its own path. Links never expire, since late money is
 * recovered through the same page.
 */
@Injectable()
export class PaymentLinksService {
  private readonly signer: Reloadable<LinkSigner>;
  private readonly base: string;

  constructor(@Inject(PAYMENT_CONFIG) config: PaymentConfig) {
    this.signer = config.fundingTokenKey.map((key) => new LinkSigner(key));
    this.base = config.fundingPageBase.replace(/\/+$/, '');
  }

  async fundingUrl(payment: PaymentRecord): Promise<string> {
    return `${this.base}/funding/${payment.id}?token=${await this.signer.current.token(payment, 'funding')}`;
  }

  /** Address to which a provider sends the customer after its checkout. */
  async returnUrl(payment: PaymentRecord): Promise<string> {
    return `${this.base}/funding/${payment.id}/return?token=${await this.signer.current.token(payment, 'return')}`;
  }
}

/** Signs links with one key. */
class LinkSigner {
  private readonly key: ReturnType<typeof importJWK>;
  /** Cache: a payment's token never changes, and signing costs more than reading the payment. */
  private readonly tokens = new LRUCache<string, string>({ max: CAPACITY });

  constructor(private readonly privateKey: PrivateKey) {
    this.key = importJWK(privateKey, ALGORITHM);
  }

  async token({ id, orgId, createdAt }: PaymentRecord, audience: LinkAudience): Promise<string> {
    const name = `${audience} ${id}`;
    const known = this.tokens.get(name);
    if (known !== undefined) return known;
    const token = await new SignJWT({ payment_id: id, org_id: orgId })
      .setProtectedHeader({ alg: ALGORITHM, kid: this.privateKey.kid })
      .setIssuer('payment')
      .setAudience(audience)
      .setIssuedAt(createdAt)
      .sign(await this.key);
    this.tokens.set(name, token);
    return token;
  }
}
