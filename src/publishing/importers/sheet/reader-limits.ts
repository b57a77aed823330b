/** What reading a file may cost. The reader process has these limits, whatever a parser makes of the file. */
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

/** How the guard ends a process that has used up its time; every other signal means memory. */
export const timeSignal = "SIGTERM";
