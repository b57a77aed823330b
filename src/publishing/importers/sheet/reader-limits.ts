/** The limits of the reader process: reading a file costs no more, whatever a parser makes of it. */
export type ReaderLimits = Readonly<typeof readerLimits>;

export const readerLimits = {
  /**
   * Most memory of the process, of any kind: heap, buffers, code. Node itself takes 60 MiB of it. With the 90 MiB of
   * the command and `tableBytesMax` this is less than 500 MB.
   */
  mebibytes: 290,
  /** Most memory of its objects, so that garbage is collected before the process reaches the limit above. */
  heapMebibytes: 224,
  /** Most processor time of all its threads: a busy machine refuses no file that an idle one reads. */
  seconds: 8,
};

/** The guard ends a process with this signal when its time is used up; every other signal means memory. */
export const timeSignal = "SIGTERM";
