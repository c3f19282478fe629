import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Signed by the address's own key. */
const EVERY_CHAIN = '*';
/** Bounds what one customer can make us store. */
const MAX_LINKS_PER_CUSTOMER = 100;

export interface VerifiedOwner {
  address: string;
  /** Chain whose contract accepted the signature; null for a key, which signs on every chain. */
  chain: string | null;
  /** Customer whose other addresses it is linked with. */
  customer: { orgId: string; customerId: string } | null;
}

const REMEMBER = `
WITH verification AS (
  INSERT INTO owner_verifications (address, chain, verified_at) VALUES ($1, $2, now())
  ON CONFLICT DO NOTHING
)
INSERT INTO owner_links (org_id, customer_id, address, linked_at)
SELECT $3, $4, $1, now()
WHERE $4::text IS NOT NULL
  AND (SELECT count(*) FROM owner_links WHERE org_id = $3 AND customer_id = $4) < $5
ON CONFLICT DO NOTHING`;

/** Owners that have signed, and their links. */
@Injectable()
export class OwnerVerificationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param chain chain whose contract would sign; a key's signature counts on every chain */
  async isVerified(address: string, chain: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT 1 FROM owner_verifications WHERE address = $1 AND chain = ANY($2)',
      [address.toLowerCase(), [EVERY_CHAIN, chain]],
    );
    return rows.length > 0;
  }

  /** Idempotent; concurrent calls may exceed the limit of links by their number. */
  async remember({ address, chain, customer }: VerifiedOwner): Promise<void> {
    await this.dataSource.query(REMEMBER, [
      address.toLowerCase(),
      chain ?? EVERY_CHAIN,
      customer?.orgId ?? null,
      customer?.customerId ?? null,
      MAX_LINKS_PER_CUSTOMER,
    ]);
  }
}
