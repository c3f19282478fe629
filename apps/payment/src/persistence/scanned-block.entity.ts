import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last blocks of each chain, to recognise a reorganisation. */
@Entity('scanned_blocks')
export class ScannedBlockEntity {
  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @PrimaryColumn({ type: 'bigint' })
  blockNumber!: string;

  @Column({ type: 'text' })
  blockHash!: string;

  @Column({ type: 'timestamptz' })
  blockTimestamp!: Date;
}
