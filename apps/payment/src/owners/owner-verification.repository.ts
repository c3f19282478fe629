import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Signed by the address's own key. */
const EVERY_CHAIN = '*';
/** Bounds what one customer can make us store. */
const MAX_LINKS_PER_CUSTOMER = 100;

export interface VerifiedOwner {
  address: string;
  /** Chains on which its contract signs; null for a key, which signs on every chain. */
  chains: readonly string[] | null;
  /** Customer whose other addresses it is linked with. */
  customer: { orgId: string; customerId: string } | null;
}

const REMEMBER = `
WITH verification AS (
  INSERT INTO owner_verifications (address, chain, verified_at)
  SELECT $1, unnest($2::text[]), now()
  ON CONFLICT DO NOTHING
)
INSERT INTO owner_links (org_id, customer_id, address, linked_at)
SELECT $3, $4, $1, now()
WHERE $4::text IS NOT NULL
  AND (SELECT count(*) FROM owner_links WHERE org_id = $3 AND customer_id = $4) < $5
ON CONFLICT DO NOTHING`;

/** At most as many as a customer may have, whatever the number of customers. */
const LINKED = `
SELECT DISTINCT other.address FROM owner_links own
JOIN owner_links other ON other.org_id = own.org_id AND other.customer_id = own.customer_id
WHERE own.org_id = $1 AND own.address = $2 AND other.address <> $2
ORDER BY other.address LIMIT $3`;

/** Owners that have signed, and their links. */
@Injectable()
export class OwnerVerificationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param chains chains on which a contract would have to sign; a key's signature counts on every chain */
  async isVerified(address: string, chains: readonly string[]): Promise<boolean> {
    const rows: { chain: string }[] = await this.dataSource.query(
      'SELECT chain FROM owner_verifications WHERE address = $1 AND chain = ANY($2)',
      [address.toLowerCase(), [EVERY_CHAIN, ...chains]],
    );
    const verified = new Set(rows.map(({ chain }) => chain));
    return verified.has(EVERY_CHAIN) || chains.every((chain) => verified.has(chain));
  }

  /** Idempotent; concurrent calls may exceed the limit of links by their number. */
  async remember({ address, chains, customer }: VerifiedOwner): Promise<void> {
    await this.dataSource.query(REMEMBER, [
      address.toLowerCase(),
      chains ?? [EVERY_CHAIN],
      customer?.orgId ?? null,
      customer?.customerId ?? null,
      MAX_LINKS_PER_CUSTOMER,
    ]);
  }

  /** Lists the other addresses, lower case, that the organisation’s secret keys verified for the same customers. */
  async linkedWith(orgId: string, address: string): Promise<string[]> {
    const rows: { address: string }[] = await this.dataSource.query(LINKED, [
      orgId,
      address.toLowerCase(),
      MAX_LINKS_PER_CUSTOMER,
    ]);
    return rows.map((row) => row.address);
  }
}
