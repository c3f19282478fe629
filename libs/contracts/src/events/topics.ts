export interface TopicDefinition {
  name: string;
  /** What a record is keyed by. */
  key: string;
  partitions: number;
  /** Compacted topics feed projections: the newest record of a key is kept for ever. */
  compacted: boolean;
}

const compacted = (name: string, key: string, partitions: number): TopicDefinition => ({
  name: `bascule.${name}`,
  key,
  partitions,
  compacted: true,
});

/** Every topic there is. */
export const TOPICS = {
  catalogue: compacted('catalogue', 'chain name or asset identifier', 4),
  price: compacted('price', 'asset identifier', 4),
  payment: compacted('payment', 'payment id', 12),
  withdrawal: compacted('withdrawal', 'withdraw id', 12),
} as const satisfies Record<string, TopicDefinition>;
