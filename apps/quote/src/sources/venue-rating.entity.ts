import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest rating of a venue on a chain, as payment measured it. */
@Entity('venue_ratings')
export class VenueRatingEntity {
  @PrimaryColumn('text')
  chain!: string;

  @PrimaryColumn('text')
  venue!: string;

  @Column('integer')
  version!: number;

  @Column('integer')
  conversions!: number;

  @Column('integer')
  shortfallPpm!: number;

  @Column('timestamptz')
  measuredAt!: Date;

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
