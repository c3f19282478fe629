import { TOPICS, venueRatingKey } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import type { VenueRating } from '@bascule/venues';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { VenueRatingEntity } from '../persistence/venue-rating.entity.js';
import { addSums, meanShortfall } from './rating-sums.js';
import type { RatingSums } from './rating-sums.js';

/** Measurements of a venue on a chain that are not stored yet. */
export interface NewSums extends RatingSums {
  chain: string;
  venue: string;
}

interface LockedRow {
  chain: string;
  venue: string;
  version: number;
  conversions: number;
  sum: string;
  measured_at: Date;
  now: Date;
}

const PAIRS = 'unnest($1::text[], $2::text[]) AS added (chain, venue)';

/** Stores the ratings of venues, and publishes each change of them. */
@Injectable()
export class VenueRatingsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  async all(): Promise<VenueRating[]> {
    const rows = await this.dataSource.manager.find(VenueRatingEntity);
    return rows.map(({ chain, venue, conversions, shortfallSumPpm, measuredAt }) => ({
      ...{ chain, venue, conversions, measuredAt },
      shortfallPpm: meanShortfall({ conversions, shortfallSumPpm: BigInt(shortfallSumPpm) }),
    }));
  }

  /** Adds measurements to the ratings, all in one transaction with their events. */
  async add(measured: readonly NewSums[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      for (const row of await lockRatings(manager, measured)) {
        const added = measured.filter(
          ({ chain, venue }) => chain === row.chain && venue === row.venue,
        );
        for (const sums of added) await this.rate(manager, row, sums);
      }
    });
  }

  private async rate(manager: EntityManager, row: LockedRow, added: RatingSums): Promise<void> {
    const { chain, venue, now } = row;
    const before = {
      conversions: row.conversions,
      shortfallSumPpm: BigInt(row.sum),
      measuredAt: row.measured_at,
    };
    const sums = addSums(before, added, now);
    const { conversions } = sums;
    const version = row.version + 1;
    await manager.query(
      `UPDATE venue_ratings SET version = $3, conversions = $4, shortfall_sum_ppm = $5, measured_at = $6
       WHERE chain = $1 AND venue = $2`,
      [chain, venue, version, conversions, sums.shortfallSumPpm.toString(), now],
    );
    await this.outbox.append(manager, {
      topic: TOPICS.venues,
      type: 'venue.rated',
      key: venueRatingKey({ chain, venue }),
      data: {
        ...{ version, chain, venue, conversions },
        shortfall_ppm: Number(meanShortfall(sums)),
        measured_at: now.toISOString(),
      },
    });
  }
}

/** Locks the ratings of the measured venues in one order for all processes, and creates those that are missing. */
async function lockRatings(
  manager: EntityManager,
  measured: readonly NewSums[],
): Promise<LockedRow[]> {
  const pairs = [measured.map(({ chain }) => chain), measured.map(({ venue }) => venue)];
  await manager.query(
    `INSERT INTO venue_ratings (chain, venue, version, conversions, shortfall_sum_ppm, measured_at)
     SELECT chain, venue, 0, 0, 0, clock_timestamp() FROM ${PAIRS} ORDER BY chain, venue
     ON CONFLICT (chain, venue) DO NOTHING`,
    pairs,
  );
  return manager.query(
    `SELECT chain, venue, version, conversions, shortfall_sum_ppm AS sum, measured_at,
       date_trunc('milliseconds', clock_timestamp()) AS now
     FROM venue_ratings JOIN ${PAIRS} USING (chain, venue)
     ORDER BY chain, venue FOR UPDATE OF venue_ratings`,
    pairs,
  );
}
