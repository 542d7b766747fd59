/** What a disk does from one of its operations on, or at it alone. */
export const FAULTS = [
  { fault: "disk full from there on", plan: "ENOSPC@{n}x100000" },
  { fault: "disk full once", plan: "ENOSPC@{n}" },
  { fault: "input or output error", plan: "EIO@{n}" },
  { fault: "not permitted", plan: "EPERM@{n}" },
  { fault: "busy", plan: "EBUSY@{n}" },
  { fault: "slow", plan: "delay40@{n}" },
];

/** The one fault that no process survives. */
export const KILLED = "killed";
