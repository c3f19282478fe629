import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Conversions of a venue on a chain, measured against what was quoted. */
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

  /** Sum over the conversions, in millionths of their quoted output; negative where more arrived than quoted. */
  @Column('bigint')
  shortfallSumPpm!: string;

  @Column('timestamptz')
  measuredAt!: Date;
}
