------------------------------- MODULE Reverts -------------------------------
(***************************************************************************)
(* Taking imports back: functions/reverts, one action for each call to the *)
(* table.  The item of a revert says the phase, and which import is next.  *)
(***************************************************************************)
EXTENDS Imports

\* request.ts: each import has ended, and not all of them are reverted.
Request(r) ==
  /\ db.revert[r].phase = None
  /\ \A i \in Together(r) : db.status[i] = "ended"
  /\ ~(Together(r) \subseteq db.reverted)
  /\ db' = [db EXCEPT !.revert[r] = [phase |-> "waiting", at |-> 1]]
  /\ queue' = queue \cup {r}
  /\ UNCHANGED <<rec, work, fence, faults>>

\* steps.ts: a delivery before the fence is over only sends the message again, so there is none here.
ReadRevert(w, r) ==
  /\ work[w] = Idle /\ r \in queue
  /\ fence[r] = {}
  /\ queue' = queue \ {r}
  /\ LET phase == db.revert[r].phase
     IN work' = [work EXCEPT ![w] = IF phase = "done" THEN Idle
                                    ELSE [job |-> r, pc |-> phase, seen |-> db.revert[r],
                                          counting |-> {}, relying |-> {}, freed |-> {}]]
  /\ UNCHANGED <<rec, db, fence, faults>>

\* Stores the next step if the stored one is still the one that was read. Otherwise another invocation works on it.
Moved(w, phase, at) ==
  LET me == work[w]
      next == [phase |-> phase, at |-> at]
  IN IF db.revert[me.job] # me.seen THEN Ends(w, db)
     ELSE IF phase = "done" THEN Ends(w, [db EXCEPT !.revert[me.job] = next])
     ELSE GoesOn(w, [me EXCEPT !.pc = phase, !.seen = next, !.counting = {}, !.relying = {}, !.freed = {}],
                 [db EXCEPT !.revert[me.job] = next])

\* The same, with a fence before the step: the revert resumes by a message of its own.
MovedBehindFence(w, phase, at, waitsFor) ==
  LET me == work[w]
      next == [phase |-> phase, at |-> at]
  IN IF db.revert[me.job] # me.seen THEN Ends(w, db)
     ELSE EndsWith(w, [db EXCEPT !.revert[me.job] = next], {me.job}, [fence EXCEPT ![me.job] = waitsFor])

At(w) == work[w].seen.at
Current(w) == RevertOf[work[w].job][At(w)]
IsLast(w) == At(w) > Len(RevertOf[work[w].job])
To(w, pc) == [work[w] EXCEPT !.pc = pc]
WrittenBy(i) == {c \in ChunksOf[i] : db.plan[c].out \notin {None, "rejected"}}

(***************************************************************************)
(* `waiting` and `closing`: closes the gate, and waits for what runs.      *)
(***************************************************************************)
ReadImports(w) ==
  /\ work[w].pc = "waiting"
  /\ GoesOn(w, To(w, IF Together(work[w].job) \subseteq db.reverted THEN "reverted already" ELSE "take gate"), db)

RevertedAlready(w) ==
  /\ work[w].pc = "reverted already"
  /\ CASE WhenRevertedAlready = "fences" -> Moved(w, "leaving", 1)
       [] WhenRevertedAlready = "opens" -> Moved(w, "opening", 1)
       [] WhenRevertedAlready = "stops" -> Moved(w, "opened", 1)

\* The fence is counted from here. Where another revert holds the gate, the watchdog tries again.
TakeGate(w) ==
  LET r == work[w].job
  IN /\ work[w].pc = "take gate"
     /\ IF db.by \in {None, r}
        THEN GoesOn(w, [work[w] EXCEPT !.pc = "close", !.counting = Running], [db EXCEPT !.by = r])
        ELSE Ends(w, db)

StoreFirstFence(w) ==
  /\ work[w].pc = "close"
  /\ MovedBehindFence(w, "closing", 1, IF FirstFence THEN work[w].counting ELSE {})

AfterFirstFence(w) ==
  /\ work[w].pc = "closing"
  /\ Moved(w, "giving", 1)

(***************************************************************************)
(* `giving`: records that rely on the imports get contributions.           *)
(***************************************************************************)
ReadNotes(w) ==
  /\ work[w].pc = "giving"
  /\ IF IsLast(w) THEN Moved(w, "removing", 1)
     ELSE IF Current(w) \in db.reverted THEN GoesOn(w, To(w, "given"), db)
     ELSE GoesOn(w, [work[w] EXCEPT !.pc = "give", !.relying = {c \in Chunks : <<Current(w), c>> \in db.notes}], db)

\* Reads the import and the plan of a chunk that relies.
ReadRelying(w) ==
  LET me == work[w]
      isOwed(c) == /\ ImportOf(c) \notin Together(me.job) /\ ImportOf(c) \notin db.reverted
                   /\ db.summary[c] = "ok" /\ db.plan[c].out = "unchanged" /\ db.plan[c].on = Current(w)
  IN /\ me.pc = "give"
     /\ IF me.relying = {} THEN GoesOn(w, To(w, "given"), db)
        ELSE \E c \in me.relying :
               GoesOn(w, [me EXCEPT !.pc = IF isOwed(c) THEN "give own" ELSE "forget", !.freed = {c}], db)

GiveOwn(w) ==
  /\ work[w].pc = "give own"
  /\ GoesOn(w, To(w, "forget"),
            [db EXCEPT !.contributions = @ \cup {Contribution(c, db.plan[c].pair) : c \in work[w].freed}])

ForgetNote(w) ==
  LET me == work[w]
  IN /\ me.pc = "forget"
     /\ GoesOn(w, [me EXCEPT !.pc = "give", !.relying = @ \ me.freed, !.freed = {}],
               [db EXCEPT !.notes = @ \ {<<Current(w), c>> : c \in me.freed}])

Given(w) ==
  /\ work[w].pc = "given"
  /\ Moved(w, "giving", At(w) + 1)

(***************************************************************************)
(* `removing`: the report once, the contributions, and the ids that no     *)
(* other contribution holds.                                               *)
(***************************************************************************)
ReadReport(w) ==
  LET i == Current(w)
  IN /\ work[w].pc = "removing"
     /\ IF IsLast(w) THEN Moved(w, "leaving", 1)
        ELSE IF i \in db.reverted THEN GoesOn(w, To(w, "removed"), db)
        ELSE IF db.report[i].put THEN GoesOn(w, [work[w] EXCEPT !.pc = "remove", !.freed = db.report[i].freed], db)
        ELSE GoesOn(w, To(w, "decide report"), db)

DecideReport(w) ==
  LET isLeft(c) == \E x \in db.contributions : /\ x.pair = db.plan[c].pair /\ IdOf[x.chunk] = IdOf[c]
                                               /\ ImportOf(x.chunk) \notin Together(work[w].job)
  IN /\ work[w].pc = "decide report"
     /\ GoesOn(w, [work[w] EXCEPT !.pc = "put report", !.freed = {c \in WrittenBy(Current(w)) : ~isLeft(c)}], db)

PutReport(w) ==
  LET i == Current(w)
      kept == IF db.report[i].put THEN db.report[i] ELSE [put |-> TRUE, freed |-> work[w].freed]
  IN /\ work[w].pc = "put report"
     /\ GoesOn(w, [work[w] EXCEPT !.pc = "remove", !.freed = kept.freed], [db EXCEPT !.report[i] = kept])

Remove(w) ==
  /\ work[w].pc = "remove"
  /\ GoesOn(w, To(w, "free"),
            [db EXCEPT !.contributions = @ \ {Contribution(c, db.plan[c].pair) : c \in WrittenBy(Current(w))}])

Free(w) ==
  LET isFreed(id) == \E c \in work[w].freed :
                       IdOf[c] = id /\ (FreedIfOurs => db.bound[id] = db.plan[c].pair)
  IN /\ work[w].pc = "free"
     /\ GoesOn(w, To(w, "removed"), [db EXCEPT !.bound = [id \in Ids |-> IF isFreed(id) THEN None ELSE @[id]],
                                               !.mark = [id \in Ids |-> IF isFreed(id) THEN 0 ELSE @[id]]])

Removed(w) ==
  /\ work[w].pc = "removed"
  /\ Moved(w, "removing", At(w) + 1)

(***************************************************************************)
(* `leaving`, `opening`, `opened`: waits for doubled invocations of the    *)
(* revert, marks the imports, opens the gate, and sends what waited.       *)
(***************************************************************************)
StoreSecondFence(w) ==
  /\ work[w].pc = "leaving"
  /\ MovedBehindFence(w, "opening", 1, IF SecondFence THEN Running ELSE {})

\* An import of a run gets a revert of its own, which is done.
MarkReverted(w) ==
  /\ work[w].pc = "opening" /\ ~IsLast(w)
  /\ GoesOn(w, To(w, "marked"),
            [db EXCEPT !.reverted = @ \cup {Current(w)},
                       !.revert = [q \in Reverts |->
                          IF @[q].phase = None /\ RevertOf[q] = <<Current(w)>> THEN [phase |-> "done", at |-> 1]
                          ELSE @[q]]])

Marked(w) ==
  /\ work[w].pc = "marked"
  /\ Moved(w, "opening", At(w) + 1)

OpenGate(w) ==
  /\ work[w].pc = "opening" /\ IsLast(w)
  /\ GoesOn(w, To(w, "open"),
            IF db.by = work[w].job \/ ~OpenedIfOurs THEN [db EXCEPT !.by = None, !.epoch = @ + 1] ELSE db)

Opened(w) ==
  /\ work[w].pc = "open"
  /\ Moved(w, "opened", 1)

SendWaiting(w) ==
  /\ work[w].pc = "opened"
  /\ queue' = queue \cup {c \in Chunks : IsMissing(c)}
  /\ work' = [work EXCEPT ![w].pc = "sent"]
  /\ UNCHANGED <<rec, db, fence, faults>>

Done(w) ==
  /\ work[w].pc = "sent"
  /\ Moved(w, "done", 1)

RevertStep(w) ==
  \/ ReadImports(w) \/ RevertedAlready(w) \/ TakeGate(w) \/ StoreFirstFence(w) \/ AfterFirstFence(w)
  \/ ReadNotes(w) \/ ReadRelying(w) \/ GiveOwn(w) \/ ForgetNote(w) \/ Given(w)
  \/ ReadReport(w) \/ DecideReport(w) \/ PutReport(w) \/ Remove(w) \/ Free(w) \/ Removed(w)
  \/ StoreSecondFence(w) \/ MarkReverted(w) \/ Marked(w) \/ OpenGate(w) \/ Opened(w) \/ SendWaiting(w) \/ Done(w)

\* The watchdog sends a revert again that is due and that no invocation works on.
WatchRevert(r) ==
  /\ Watchdog
  /\ r \notin queue /\ ~\E w \in Workers : work[w].job = r
  /\ db.revert[r].phase \notin {None, "done"} /\ fence[r] = {}
  /\ queue' = queue \cup {r}
  /\ UNCHANGED <<rec, db, work, fence, faults>>
==============================================================================
