------------------------------- MODULE Imports -------------------------------
(***************************************************************************)
(* Accepting, processing, cancelling, watching and abandoning an import:   *)
(* functions/imports, one action for each call to the table.               *)
(***************************************************************************)
EXTENDS State

\* accept.ts: one that replaces is noted before its moment of acceptance is taken. So none that was accepted later is
\* stored before.
NoteReplacing(i) ==
  /\ Replaces(i) /\ i \notin db.replacing \cup PlanImports
  /\ db.status[i] = None => \A k \in Imports : PlaceOf(k) > PlaceOf(i) => db.status[k] = None
  /\ Changes([db EXCEPT !.replacing = @ \cup {i}])

\* When it has ended; or where its acceptance failed behind the note.
ForgetReplacing(i) ==
  /\ i \in db.replacing /\ db.status[i] # "open"
  /\ i \in PlanImports => db.status[i] = "ended"
  /\ Changes([db EXCEPT !.replacing = @ \ {i}])

\* The import is committed, then its messages are sent. A lost message is a fault of the queue.
Accept(i) ==
  /\ db.status[i] = None /\ i \notin PlanImports
  /\ Replaces(i) => i \in db.replacing
  /\ db' = [db EXCEPT !.status[i] = "open",
                      !.named = @ \cup {<<"payload", c>> : c \in {d \in ChunksOf[i] : Erasures # {} /\ rec[d].pair = ErasedPair}}]
  /\ queue' = queue \cup ChunksOf[i]
  /\ UNCHANGED <<rec, work, fence, faults>>

(***************************************************************************)
(* process.ts: an invocation carries out one chunk.                        *)
(***************************************************************************)

\* A contribution of another import with the id and the pair of the record of a chunk, and one with its content.
IsVersion(x, c, pair) == x.pair = pair /\ IdOf[x.chunk] = IdOf[c] /\ ImportOf(x.chunk) # ImportOf(c)
IsSame(x, c, pair) == IsVersion(x, c, pair) /\ rec[x.chunk].content = rec[c].content

(***************************************************************************)
(* versions.ts: what counts of the contributions of one record.            *)
(***************************************************************************)

\* Whether the record of a chunk says what these say: any of them; all of them, if its import replaces.
SaysTheSame(c, counting) ==
  LET same == {x \in counting : rec[x.chunk].content = rec[c].content}
  IN same # {} /\ (rec[c].replaces => same = counting)

\* In the order of acceptance. `shown`: those that did not say what counted before; `counting`: those since the last
\* one that replaces.
RECURSIVE Versions(_)
Versions(all) ==
  IF all = {} THEN [shown |-> {}, counting |-> {}]
  ELSE LET last == CHOOSE x \in all : \A y \in all : Place(y.chunk) <= Place(x.chunk)
           before == Versions(all \ {last})
       IN IF SaysTheSame(last.chunk, before.counting) THEN before
          ELSE [shown |-> before.shown \cup {last},
                counting |-> IF rec[last.chunk].replaces THEN {last} ELSE before.counting \cup {last}]

\* The call that follows when the plan is known. Of an earlier epoch, what it relies on may be gone, and its id free.
IsStale(plan, epoch) == EpochChecked /\ plan.epoch # epoch
AfterPlan(plan, epoch) ==
  IF plan = Kept /\ ArchivedFirst THEN "archive"
  ELSE IF plan.out \in {"rejected", "erased"} THEN "summarise"
  ELSE IF plan.out = "applied" \/ IsStale(plan, epoch) THEN "claim"
  ELSE IF plan.on = None THEN "write"
  ELSE IF NotesKept THEN "note" ELSE "summarise"

\* Reads the import, the plan and the gate in one call.
ReadChunk(w, c) ==
  LET i == ImportOf(c)
      isClosed == GateChecked /\ IsClosed
      stored == IF PlanOnce THEN db.plan[c] ELSE NoPlan
      me == [job |-> c, pc |-> "decide", plan |-> NoPlan, epoch |-> db.epoch, closed |-> isClosed, lost |-> FALSE,
             named |-> <<"payload", c>> \in db.named, replacing |-> db.replacing]
      isDue == /\ IsMissing(c)
               /\ i \notin db.closing
               /\ ~isClosed \/ (IF stored = NoPlan THEN i \in db.cancelled ELSE ~HasEffect(stored))
      next == IF stored # NoPlan THEN [me EXCEPT !.pc = AfterPlan(stored, db.epoch), !.plan = stored]
              ELSE IF i \in db.cancelled THEN [me EXCEPT !.pc = "put", !.plan = Rejecting]
              ELSE me
      owesEnd == db.status[i] = "open" /\ ~IsMissing(c) /\ IsComplete(i, db)
  IN /\ work[w] = Idle /\ c \in queue
     /\ queue' = queue \ {c}
     /\ work' = [work EXCEPT ![w] = IF isDue THEN next
                                    ELSE IF owesEnd THEN [me EXCEPT !.pc = "settle"] ELSE Idle]
     /\ UNCHANGED <<rec, db, fence, faults>>

\* plan.ts: a record is rejected if an earlier one of its import has its id; then it has no pair here.
IsDuplicate(c) == rec[c].pair = None

\* Of an import that archives, a record without a pair is one of which nobody is found.
Unknown(c) == IF ImportOf(c) \in Archives THEN Kept ELSE Rejecting
NamesPerson(c) == Erasures # {} /\ rec[c].pair = ErasedPair

\* What the stored contributions decide. Those of the import itself do not count. The user is read before them, and not
\* strongly: one who is gone may still be found, until an erasure has waited for the invocations that run. So are the
\* imports that were noted as replacing: one may have ended between that read and the other.
Decisions(c, epoch, replacing) ==
  LET ofId == {x \in db.contributions : IsVersion(x, c, rec[c].pair)}
      counting == Versions(ofId).counting
      \* There is one.
      same == CHOOSE x \in counting : rec[x.chunk].content = rec[c].content
      decision(out, on) == [out |-> out, pair |-> rec[c].pair, on |-> on, epoch |-> epoch, seen |-> {}]
      isOvertaken == OvertakenWritten /\ (rec[c].replaces \/ \E i \in replacing : db.status[i] # "ended")
      maybeOvertaken == OvertakenWritten /\ replacing # {}
      unchanged == (IF maybeOvertaken \/ isOvertaken \/ (EarlierWritten /\ Place(c) < Place(same.chunk)) THEN {None} ELSE {})
                   \cup (IF isOvertaken \/ (EarlierWritten /\ Place(c) < Place(same.chunk)) THEN {} ELSE {ImportOf(same.chunk)})
      found == IF SaysTheSame(c, counting) THEN {decision("unchanged", on) : on \in unchanged}
               ELSE IF ofId # {} THEN {decision("updated", None)}
               ELSE {decision("applied", None)}
      isGone == db.gone /\ rec[c].pair = ErasedPair
      maybeFound == \E e \in Erasures : db.revert[e].phase \in {"waiting", "closing"}
  IN (IF isGone \/ IsDuplicate(c) THEN {Unknown(c)} ELSE {})
     \cup (IF IsDuplicate(c) \/ (isGone /\ ~maybeFound) THEN {} ELSE found)

\* What counts of the id of a record of a plan, imports of this plan left aside.
Over(c) ==
  LET isAside(i) == PlanAside /\ i \in PlanImports
      others == {x \in db.contributions : IsVersion(x, c, rec[c].pair) /\ ~isAside(ImportOf(x.chunk))}
  IN {rec[x.chunk].content : x \in Versions(others).counting}

\* plans/expected.ts, §4.11: a record of a plan is carried out only as it was planned.
AsPlanned(c, decided, planned) ==
  LET isGuarded == rec[c].replaces \/ planned.out = "unchanged"
      isExpected == planned.pair = decided.pair /\ planned.content = rec[c].content
      isOver == decided.out = "unchanged" \/ ~isGuarded \/ Over(c) = planned.over
  IN /\ PlanCompared => isExpected
     /\ OverCompared => isOver
     /\ OutcomeFree \/ decided.out = planned.out

\* `seen`: what a record that replaces was carried out over.
Planned(c, decided) ==
  LET planned == db.staged[c]
      isRejected == planned.out = "rejected"
  IN IF c \notin PlanChunks \/ (decided.out = "rejected" /\ ~(RejectedKept /\ isRejected)) THEN decided
     ELSE IF isRejected THEN IF RejectedKept THEN IF planned.keeps THEN Kept ELSE Rejecting ELSE decided
     ELSE IF AsPlanned(c, decided, planned) THEN [decided EXCEPT !.seen = IF rec[c].replaces THEN Over(c) ELSE {}] ELSE Changed

Decide(w) ==
  /\ work[w].pc = "decide"
  /\ \E p \in Decisions(work[w].job, work[w].epoch, work[w].replacing) :
       LET c == work[w].job
           planned == Planned(c, p)
           isErased == NamesPerson(c) /\ ~work[w].named
       IN GoesOn(w, [work[w] EXCEPT !.pc = "put", !.plan = IF planned = Kept /\ isErased THEN Rejecting ELSE planned], db)

\* Puts the plan if absent, and continues with the stored one: unless the gate was closed, and it has effects.
PutPlan(w) ==
  LET me == work[w]
      c == me.job
      plan == IF db.plan[c] # NoPlan /\ PlanOnce THEN db.plan[c] ELSE me.plan
  IN /\ me.pc = "put"
     /\ IF CheckedAgain /\ me.closed /\ HasEffect(plan) THEN Ends(w, db)
        ELSE GoesOn(w, [me EXCEPT !.pc = AfterPlan(plan, me.epoch), !.plan = plan],
                       [db EXCEPT !.plan[c] = plan,
                                  !.named = IF me.named /\ db.plan[c] = NoPlan THEN @ \cup {<<"plan", c>>} ELSE @])

AfterClaim(me, pair) ==
  IF pair = me.plan.pair THEN [me EXCEPT !.pc = "write"] ELSE [me EXCEPT !.pc = "summarise", !.lost = TRUE]

Claim(w) ==
  LET me == work[w]
      id == IdOf[me.job]
  IN /\ me.pc = "claim"
     /\ IF db.bound[id] = None THEN GoesOn(w, AfterClaim(me, me.plan.pair), [db EXCEPT !.bound[id] = me.plan.pair])
        ELSE IF db.mark[id] = 0 THEN GoesOn(w, AfterClaim(me, db.bound[id]), db)
        ELSE GoesOn(w, [me EXCEPT !.pc = "keep"], db)

\* An id that is marked may be freed soon. It is kept, also by a record that lost it; if it was freed, it is claimed again.
Keep(w) ==
  LET me == work[w]
      id == IdOf[me.job]
  IN /\ me.pc = "keep"
     /\ IF db.mark[id] # 0 THEN GoesOn(w, AfterClaim(me, db.bound[id]), [db EXCEPT !.mark[id] = 0])
        ELSE GoesOn(w, [me EXCEPT !.pc = "claim"], db)

Contribution(c, pair) == [chunk |-> c, pair |-> pair]

Write(w) ==
  LET me == work[w]
  IN /\ me.pc = "write"
     /\ GoesOn(w, [me EXCEPT !.pc = "summarise"],
               [db EXCEPT !.contributions = @ \cup {Contribution(me.job, me.plan.pair)}])

Note(w) ==
  LET me == work[w]
  IN /\ me.pc = "note"
     /\ GoesOn(w, [me EXCEPT !.pc = "summarise"], [db EXCEPT !.notes = @ \cup {<<me.plan.on, me.job>>}])

\* From the plan that it carries out, whatever became of the stored one meanwhile.
Archiving(table, c) ==
  [table EXCEPT !.archived = @ \cup {c}, !.named = IF NamesPerson(c) THEN @ \cup {<<"archive", c>>} ELSE @]

Archive(w) ==
  LET c == work[w].job
  IN /\ work[w].pc = "archive"
     /\ IF ArchivedFirst THEN GoesOn(w, [work[w] EXCEPT !.pc = "summarise"], Archiving(db, c))
        ELSE IF db.status[ImportOf(c)] = "open" /\ IsComplete(ImportOf(c), db)
        THEN GoesOn(w, [work[w] EXCEPT !.pc = "settle"], Archiving(db, c))
        ELSE Ends(w, Archiving(db, c))

\* If absent, and while the import is open.
Summarise(w) ==
  LET me == work[w]
      c == me.job
      i == ImportOf(c)
      result == IF me.plan.out \in {"rejected", "erased"} THEN me.plan.out ELSE IF me.lost THEN "lost" ELSE "ok"
      table == IF IsMissing(c) THEN [db EXCEPT !.summary[c] = result] ELSE db
  IN /\ me.pc = "summarise"
     /\ IF me.plan = Kept /\ ~ArchivedFirst THEN GoesOn(w, [me EXCEPT !.pc = "archive"], table)
        ELSE IF table.status[i] = "open" /\ (IsComplete(i, table) \/ ~AllSummaries)
        THEN GoesOn(w, [me EXCEPT !.pc = "settle"], table)
        ELSE Ends(w, table)

Settle(w) ==
  /\ work[w].pc = "settle"
  /\ Ends(w, [db EXCEPT !.status[ImportOf(work[w].job)] = "ended"])

ChunkStep(w) ==
  \/ Decide(w) \/ PutPlan(w) \/ Claim(w) \/ Keep(w) \/ Write(w) \/ Note(w) \/ Archive(w) \/ Summarise(w) \/ Settle(w)

(***************************************************************************)
(* cancel.ts. The API calls it: the fence of a revert does not wait for it.*)
(***************************************************************************)
Cancel(i) ==
  /\ i \in Cancellable /\ db.status[i] = "open" /\ i \notin db.cancelled
  /\ Changes([db EXCEPT !.cancelled = @ \cup {i}])

\* A chunk without a plan gets one that rejects its record, and its summary.
EndCancelled(i) ==
  /\ i \in db.cancelled /\ db.status[i] = "open"
  /\ \E c \in ChunksOf[i] :
       \/ db.plan[c] = NoPlan /\ Erasures = {} /\ Changes([db EXCEPT !.plan[c] = Rejecting])
       \/ db.plan[c].out = "rejected" /\ db.plan[c] # Kept /\ IsMissing(c) /\ Changes([db EXCEPT !.summary[c] = "rejected"])

(***************************************************************************)
(* watch.ts                                                                *)
(***************************************************************************)

\* Sends a chunk again that is due and that no invocation works on. It waits while the gate is closed.
WatchChunk(c) ==
  /\ Watchdog
  /\ c \notin queue /\ ~\E w \in Workers : work[w].job = c
  /\ IsMissing(c) /\ ~IsClosed
  /\ queue' = queue \cup {c}
  /\ UNCHANGED <<rec, db, work, fence, faults>>

\* Ends an import that is complete; the cancelling call does so too.
WatchEnd(i) ==
  /\ Watchdog \/ i \in db.cancelled
  /\ db.status[i] = "open" /\ IsComplete(i, db)
  /\ Changes([db EXCEPT !.status[i] = "ended"])

\* Abandoning is announced; after that no delivery starts.
AnnounceAbandoning(i) ==
  /\ i \in Abandonable \ db.closing /\ db.status[i] = "open" /\ ~IsComplete(i, db)
  /\ fence' = [fence EXCEPT ![i] = Running]
  /\ db' = [db EXCEPT !.closing = @ \cup {i}]
  /\ UNCHANGED <<rec, queue, work, faults>>

\* When those that had started have ended, what they did not write is `processing_failed`. First the ids
\* are freed that the record alone had claimed: no contribution with the id is stored for the pair.
IsUnused(c) ==
  /\ db.plan[c].out \notin {None, "rejected", "erased"} /\ db.bound[IdOf[c]] = db.plan[c].pair
  /\ ~\E x \in db.contributions : x.pair = db.plan[c].pair /\ IdOf[x.chunk] = IdOf[c]

Abandon(i) ==
  /\ i \in db.closing /\ fence[i] = {}
  /\ \E c \in ChunksOf[i] :
       /\ IsMissing(c) /\ ~(AbandonedFreed /\ IsUnused(c))
       /\ db.plan[c] = Kept => c \in db.archived
       /\ IF db.plan[c] = NoPlan
          THEN Erasures = {} /\ Changes([db EXCEPT !.plan[c] = Rejecting])
          ELSE LET isWritten == \E x \in db.contributions : x.chunk = c
                   result == IF db.plan[c].out \in {"rejected", "erased"} THEN db.plan[c].out ELSE IF isWritten THEN "ok" ELSE "failed"
               IN Changes([db EXCEPT !.summary[c] = result])

\* Other imports may be between a claim of such an id and the contribution, or the summary that says that it was
\* lost. So it is marked. When all that ran then have ended, and all that ran when the last of these ended, it is
\* freed if it still has the mark: every claim in the meantime takes it away.
MarkUnused(i) ==
  /\ AbandonedFreed /\ i \in db.closing /\ fence[i] = {}
  /\ \E c \in ChunksOf[i] :
       /\ IsMissing(c) /\ IsUnused(c) /\ db.mark[IdOf[c]] = 0
       /\ db' = [db EXCEPT !.mark[IdOf[c]] = db.marks + 1, !.marks = @ + 1]
       /\ fence' = [fence EXCEPT ![IdOf[c]] = IF MarkedFirst THEN Running ELSE {}]
       /\ UNCHANGED <<rec, queue, work, faults>>

WaitAgain(id) ==
  /\ db.mark[id] \notin db.waited \cup {0} /\ fence[id] = {}
  /\ db' = [db EXCEPT !.waited = @ \cup {db.mark[id]}]
  /\ fence' = [fence EXCEPT ![id] = IF MarkedFirst /\ WaitsTwice THEN Running ELSE {}]
  /\ UNCHANGED <<rec, queue, work, faults>>

ReadUnused(i) ==
  /\ i \in db.closing
  /\ \E c \in ChunksOf[i] :
       /\ IsMissing(c) /\ IsUnused(c) /\ db.mark[IdOf[c]] \in db.waited /\ fence[IdOf[c]] = {}
       /\ <<IdOf[c], db.mark[IdOf[c]]>> \notin db.unused[i]
       /\ Changes([db EXCEPT !.unused[i] = @ \cup {<<IdOf[c], db.mark[IdOf[c]]>>}])

FreeUnused(i) ==
  \E u \in db.unused[i] :
    Changes([db EXCEPT !.unused[i] = @ \ {u},
                       !.bound[u[1]] = IF db.mark[u[1]] = u[2] THEN None ELSE @,
                       !.mark[u[1]] = IF @ = u[2] THEN 0 ELSE @])
==============================================================================
