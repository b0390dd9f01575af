-------------------------------- MODULE Traces --------------------------------
(***************************************************************************)
(* Accepts histories of the code: each event of a history must be the step *)
(* of the specification that it names, with the outcome that the code saw. *)
(* Each state has one successor, so a history that is rejected ends in a   *)
(* deadlock, which TLC reports.  TraceData holds the histories.            *)
(***************************************************************************)
EXTENDS Surroundings, TraceData

VARIABLES trace, step

Event == Histories[trace].events[step]

TraceInit ==
  /\ trace \in 1..Len(Histories) /\ step = 1
  /\ rec = Histories[trace].records
  /\ Init /\ AroundInit

\* The plan that the invocation puts later; "any" where it does not.
Chosen(e) == work'[e.w].plan
Decides(e) ==
  /\ Decide(e.w)
  /\ CASE e.out = "any" -> Chosen(e) # Rejecting
       [] e.out = "rejected" -> Chosen(e).out = "rejected"
       [] OTHER -> Chosen(e).out = e.out /\ Chosen(e).pair = e.pair /\ Chosen(e).on = e.on

\* A call that the client library repeats, or that finds what an earlier delivery wrote, changes nothing.
Repeats(e, pcs) == work[e.w].pc \in pcs /\ UNCHANGED vars

\* A step of a revert that another invocation was first to take; or that the client library repeats.
IsOutdated(e) == IF work[e.w] # Idle /\ ~work[e.w].isLatest THEN Ends(e.w, db) ELSE UNCHANGED vars

TakesOfRevert(e) ==
  \* Another round of a run, in place of a request, takes the gate by its first step.
  \/ e.a = "Request" /\ RequestWith(e.r, RequestCloses /\ ~("again" \in DOMAIN e))
  \* While an invocation works on it, a message more is one that comes twice.
  \/ e.a = "WatchRevert" /\ IF ENABLED WatchRevert(e.r) THEN WatchRevert(e.r)
                            ELSE /\ work' = IF e.counts THEN OutdatedBy(work, {}, e.r) ELSE work
                                 /\ queue' = queue \cup {e.r}
                                 /\ UNCHANGED <<rec, db, fence, faults>>
  \/ e.a = "ReadRevert" /\ ReadRevert(e.w, e.r)
  \/ e.a = "TakeTurn" /\ IF work[e.w].pc = "turn" THEN TakeTurn(e.w) /\ (e.ok <=> work[e.w].isLatest)
                         ELSE ~e.ok /\ UNCHANGED vars
  \/ e.a = "Outdated" /\ IsOutdated(e)
  \* Not enough time was left: the step is taken again.
  \/ e.a = "Again" /\ Moved(e.w, work[e.w].seen.phase, At(e.w)) /\ work[e.w].isLatest
  \/ e.a = "TakeGate" /\ db.by = (IF e.ok THEN None ELSE e.holder)
                         /\ IF work[e.w].pc # "waiting" THEN UNCHANGED vars ELSE TakeGate(e.w)
  \* Where the list of those that wait has changed, the gate is read again.
  \/ e.a = "Wait" /\ IF e.ok THEN Wait(e.w) /\ db'.waiting # db.waiting
                     ELSE IF work[e.w].pc # "wait" THEN UNCHANGED vars
                     ELSE GoesOn(e.w, [work[e.w] EXCEPT !.pc = "waiting", !.next = None], db)
  \/ e.a = "ReadImports" /\ ReadImports(e.w)
  \/ e.a = "StoreFirstFence" /\ StoreFirstFence(e.w) /\ db' # db
  \/ e.a = "AfterFirstFence" /\ AfterFirstFence(e.w) /\ db' # db
  \/ e.a = "ReadNotes" /\ ReadNotes(e.w)
  \/ e.a = "ReadRelying" /\ ReadRelying(e.w, e.i) /\ e.others \subseteq {n[1] \o " " \o n[2] : n \in work'[e.w].others}
  \/ e.a = "GiveOwn" /\ GiveOwn(e.w) /\ {x.chunk : x \in db'.contributions \ db.contributions} = e.cs
  \/ e.a = "NoteNext" /\ IF <<e.i, e.c>> \in work[e.w].others
                         THEN NoteNext(e.w) /\ work'[e.w].others = work[e.w].others \ {<<e.i, e.c>>}
                         ELSE <<e.i, e.c>> \in db.notes /\ UNCHANGED vars
  \/ e.a = "ForgetNote" /\ ForgetNote(e.w) /\ work'[e.w].freed = work[e.w].freed \ {e.c}
  \/ e.a = "Given" /\ Given(e.w) /\ db' # db
  \/ e.a = "ReadItems" /\ ReadItems(e.w)
  \/ e.a = "ReadReport" /\ ReadReport(e.w, e.i)
  \/ e.a = "DecideReport" /\ IF e.i \in work[e.w].unread THEN DecideReport(e.w, e.i) ELSE UNCHANGED vars
  \/ e.a = "PutReport" /\ IF \E d \in work[e.w].others : d[1] = e.i
                          THEN PutReport(e.w, e.i) /\ (e.ok <=> ~db.report[e.i].put)
                          ELSE ~e.ok /\ UNCHANGED vars
  \/ e.a = "Remove" /\ Remove(e.w) /\ {x.chunk : x \in db.contributions \ db'.contributions} = e.cs
  \* A deletion that finds another pair, or nothing, is of a pair that the id is not bound to.
  \/ e.a = "Free" /\ LET named == {f \in work[e.w].freed : f[1] = e.id /\ (e.ok <=> f[2] = db.bound[e.id])}
                     IN IF named = {} THEN ~e.ok /\ UNCHANGED vars
                        ELSE LET f == CHOOSE f \in named : TRUE
                             IN /\ Free(e.w) /\ work'[e.w].freed = work[e.w].freed \ {f}
                                /\ (e.ok <=> db'.bound # db.bound)
  \/ e.a = "Removed" /\ Removed(e.w) /\ db' # db
  \/ e.a = "MarkReverted" /\ MarkReverted(e.w) /\ db'.reverted = db.reverted \cup {e.i}
  \/ e.a = "PassGate" /\ IF work[e.w].pc # "opening" THEN ~e.ok /\ UNCHANGED vars
                         ELSE PassGate(e.w) /\ db'.by = e.holder /\ (e.ok <=> db.by = work[e.w].job)
  \/ e.a = "BeginNext" /\ IF work[e.w].pc # "begin" THEN ~e.ok /\ UNCHANGED vars
                          ELSE BeginNext(e.w) /\ (e.ok <=> db' # db)
  \/ e.a = "Opened" /\ Opened(e.w) /\ db' # db
  \/ e.a = "SendWaiting" /\ SendWaiting(e.w) /\ db.by = e.holder
  \/ e.a = "Done" /\ Done(e.w) /\ db' # db

\* One call for each chunk, where the record was the person's by the plan or the payload that the step has read.
TakesOfErasure(e) ==
  \/ e.a = "Tell" /\ Tell(e.r)
  \/ e.a = "StoreErasureFence" /\ StoreErasureFence(e.w) /\ db' # db
  \/ e.a = "AfterErasureFence" /\ AfterErasureFence(e.w) /\ db' # db
  \/ e.a = "ListOpen" /\ ListOpen(e.w) /\ work'[e.w].page = ({i \in db.known : db.status[i] = "open"} \ db.visited) \cup e.page
  \/ e.a = "HaltEnds" /\ HaltEnds(e.w) /\ db' # db
  \/ e.a = "ListImports" /\ ListImports(e.w) /\ work'[e.w].page = (db.known \ db.visited) \cup e.page
  \/ e.a = "ListAgain" /\ ListAgain(e.w) /\ work'[e.w].page = db.again \cup e.page
  \/ e.a = "ReadErased" /\ ReadErased(e.w, e.i) /\ (e.open <=> e.i \in work'[e.w].relying)
  \/ e.a = "FreeErased" /\ IF e.c \notin work[e.w].freed THEN ~e.ok /\ UNCHANGED vars
                           ELSE /\ FreeErased(e.w) /\ work'[e.w].freed = work[e.w].freed \ {e.c}
                                /\ (e.ok <=> db'.bound # db.bound)
  \/ e.a = "ErasePayload" /\ IF e.c \notin work[e.w].own THEN <<"payload", e.c>> \notin db.named /\ UNCHANGED vars
                             ELSE ErasePayload(e.w) /\ work'[e.w].own = work[e.w].own \ {e.c}
  \/ e.a = "ErasePlan" /\ IF e.c \notin work[e.w].others THEN <<"plan", e.c>> \notin db.named /\ UNCHANGED vars
                          ELSE ErasePlan(e.w) /\ work'[e.w].others = work[e.w].others \ {e.c}
  \/ e.a = "Erased" /\ Erased(e.w) /\ db' # db /\ (e.again <=> db'.again # {})
  \/ e.a = "EraseEnds" /\ EraseEnds(e.w) /\ db' # db /\ (e.next = "leaving" <=> db'.revert[e.r].phase = "leaving")
  \/ e.a = "AfterSecondFence" /\ AfterSecondFence(e.w) /\ db' # db
  \/ e.a = "AgainEnds" /\ AgainEnds(e.w) /\ db' # db
  \/ e.a = "ReadLearner" /\ ReadLearner(e.w)
  \/ e.a = "FreeLearner" /\ IF e.id \notin work[e.w].freed THEN ~e.ok /\ UNCHANGED vars
                            ELSE /\ FreeLearner(e.w) /\ work'[e.w].freed = work[e.w].freed \ {e.id}
                                 /\ (e.ok <=> db'.bound # db.bound)
  \/ e.a = "DeleteLearner" /\ IF work[e.w].pc = "erase learner" THEN DeleteLearner(e.w) ELSE ~e.ok /\ UNCHANGED vars
  \/ e.a = "LearnerDeleted" /\ LearnerDeleted(e.w) /\ db' # db
  \/ e.a = "AdmitChunks" /\ AdmitChunks(e.w) /\ db.by = e.holder
  \/ e.a = "SendAdmitted" /\ SendAdmitted(e.w) /\ db.by = e.holder
  \/ e.a = "Admitted" /\ Admitted(e.w) /\ db' # db
  \/ e.a = "PassErasureGate" /\ PassErasureGate(e.w) /\ db'.by = e.holder /\ (e.ok <=> db.by = work[e.w].job)
  \/ e.a = "SendAfterErasure" /\ SendAfterErasure(e.w) /\ db.by = e.holder
  \/ e.a = "ForgetErasure" /\ ForgetErasure(e.w)

(***************************************************************************)
(* A step applies all that is left: the code takes eight at once, which no *)
(* plan of a history has.                                                  *)
(***************************************************************************)
TakesOfPlan(e) ==
  \/ e.a = "DryRun" /\ DryRun(e.c) /\ db'.planned[e.c].out = e.out
  \/ e.a = "MakePlan" /\ MakePlan(e.r)
  \/ e.a = "Apply" /\ Apply(e.r)
  \/ e.a = "CancelPlan" /\ CancelPlan(e.r)
  \/ e.a = "ReadGateForPlan" /\ ReadGateForPlan(e.w)
  \/ e.a = "StageNext" /\ IF work[e.w].pc = "stage" THEN StageNext(e.w) /\ work'[e.w].page = {Places}
                          ELSE UNCHANGED vars
  \/ e.a = "CommitNext" /\ db.status[e.i] = None /\ CommitNext(e.w) /\ db'.status[e.i] = "open"
  \/ e.a = "MoveOn" /\ MoveOn(e.w) /\ db' # db
  \/ e.a = "CancelOpen" /\ CancelOpen("plan") /\ db'.cancelled = db.cancelled \cup {e.i}
  \/ e.a = "CancelLast" /\ CancelLast(e.w)
  \/ e.a = "EndPlan" /\ EndPlan(e.w) /\ db'.application.status = e.status

\* The result of a record that succeeded is erased with its plan.
ResultNow(c) == IF db.summary[c] = "ok" /\ db.plan[c].out = "erased" THEN "erased" ELSE db.summary[c]

\* When nothing is left to do, every import, revert and erasure has ended, and the table holds what the state says.
AtRest(e) ==
  /\ \A i \in Imports : db.status[i] # "open"
  /\ \A r \in Reverts \cup Erasures : db.revert[r].phase \in {None, "done"}
  /\ \A r \in Erasures : e.erased <=> db.revert[r].phase = "done"
  /\ db.status = e.status /\ db.reverted = e.reverted
  /\ [c \in Chunks |-> db.plan[c].out] = e.plan /\ [c \in Chunks |-> ResultNow(c)] = e.summary
  /\ {x.chunk : x \in db.contributions} = e.contributions
  /\ {id \o " " \o db.bound[id] : id \in {k \in Ids : db.bound[k] # None}} = e.bound
  /\ {n[1] \o " " \o n[2] : n \in db.notes} = e.notes
  /\ {n[1] \o " " \o n[2] : n \in {m \in db.named : m[1] # "report"}} = e.named
  /\ db.by = e.by /\ db.epoch = e.epoch /\ db.application.status = e.application

Takes(e) ==
  \/ e.a = "NoteReplacing" /\ IF e.i \in db.replacing THEN UNCHANGED vars ELSE NoteReplacing(e.i)
  \/ e.a = "ForgetReplacing" /\ ForgetReplacing(e.i)
  \/ e.a = "Accept" /\ Accept(e.i)
  \/ e.a = "ReadChunk" /\ ReadChunk(e.w, e.c)
  \* The plan of an erased payload does not say whether the import was cancelled.
  \/ e.a = "Decide" /\ IF work[e.w].pc = "put" THEN e.out = "rejected" /\ Repeats(e, {"put"}) /\ work[e.w].plan = Rejecting
                        ELSE Decides(e)
  \/ e.a = "CopyPayload" /\ CopyPayload(e.c) /\ CopyOf(e.c).named = e.named
  \/ e.a = "EndCopied" /\ EndCopied([chunk |-> e.c, named |-> e.named, keeps |-> FALSE]) /\ (e.ok <=> db'.plan # db.plan)
  \/ e.a = "PutPlan" /\ IF work[e.w].pc # "put" THEN ~e.ok /\ UNCHANGED vars
                        ELSE /\ PutPlan(e.w) /\ (e.ok <=> db.plan[e.c] = NoPlan)
                             /\ db'.plan[e.c].out = e.out
  \/ e.a = "Claim" /\ \/ Claim(e.w) /\ db'.bound[e.id] = e.pair /\ (e.ok <=> db.bound[e.id] = None)
                      \/ ~e.ok /\ Repeats(e, {"write", "keep"})
  \/ e.a = "Keep" /\ Keep(e.w) /\ (e.ok <=> db.mark[e.id] # 0)
  \/ e.a = "Write" /\ (Write(e.w) \/ Repeats(e, {"summarise"}))
  \/ e.a = "Note" /\ IF work[e.w].pc = "note" THEN Note(e.w) /\ work[e.w].plan.on = e.on ELSE Repeats(e, {"summarise"})
  \/ e.a = "Summarise" /\ IF work[e.w].pc # "summarise" THEN ~e.ok /\ Repeats(e, {"settle", "idle"})
                          ELSE Summarise(e.w) /\ (e.ok <=> IsMissing(e.c)) /\ (e.ok => db'.summary[e.c] = e.result)
  \* An invocation that finds its summary there reads the import once more, and may end it.
  \/ e.a = "Settle" /\ IF work[e.w].pc # "settle" THEN IF e.ok THEN WatchEnd(e.i) ELSE Repeats(e, {"idle"})
                       ELSE Settle(e.w) /\ (e.ok <=> db.status[e.i] = "open")
  \/ e.a = "Cancel" /\ Cancel(e.i)
  \/ e.a = "EndCancelled" /\ EndCancelled(e.i) /\ db' # db /\ db'.summary[e.c] = e.result
  \/ e.a = "WatchEnd" /\ WatchEnd(e.i)
  \/ e.a = "AnnounceAbandoning" /\ AnnounceAbandoning(e.i)
  \/ e.a = "Abandon" /\ Abandon(e.i) /\ db.summary[e.c] = None /\ db'.summary[e.c] = e.result
  \/ e.a = "MarkUnused" /\ (\E i \in Imports : MarkUnused(i)) /\ db'.mark[e.id] # db.mark[e.id]
  \/ e.a = "ReadUnused" /\ (\E i \in Imports : ReadUnused(i)) /\ \E i \in Imports : \E u \in db'.unused[i] : u[1] = e.id
  \/ e.a = "FreeUnused" /\ (\E i \in Imports : FreeUnused(i)) /\ db'.bound[e.id] = None
  \/ e.a = "Remap" /\ Remap(e.c)
  \/ TakesOfRevert(e)
  \/ TakesOfErasure(e)
  \/ TakesOfPlan(e)
  \/ e.a \in OfSurroundings /\ UNCHANGED vars
  \/ e.a = "End" /\ AtRest(e) /\ UNCHANGED vars

\* What the code does not write down: an invocation that does nothing any more has ended, a wait is over, a message came again.
Unseen ==
  LET left == {w \in Event.gone : work[w] # Idle}
      waits == {id \in Ids : ENABLED WaitAgain(id)}
  IN IF left # {} THEN {"kill"} ELSE IF waits # {} THEN {"wait"}
     ELSE IF Event.a = "Opened" /\ work[Event.w].pc = "begin" THEN {"skip"}
     ELSE IF Event.a = "ReadChunk" /\ Event.c \notin queue THEN {Event.c}
     ELSE IF Event.a = "ReadRevert" /\ Event.r \notin queue THEN {Event.r} ELSE {}

TraceNext ==
  /\ step <= Len(Histories[trace].events)
  /\ UNCHANGED trace
  /\ CASE Unseen = {"kill"} -> Kill(CHOOSE w \in Event.gone : work[w] # Idle) /\ UNCHANGED <<around, step>>
       [] Unseen = {"wait"} -> WaitAgain(CHOOSE id \in Ids : ENABLED WaitAgain(id)) /\ UNCHANGED <<around, step>>
       [] Unseen = {"skip"} -> BeginNext(Event.w) /\ db' = db /\ UNCHANGED <<around, step>>
       [] Unseen # {} -> Double(CHOOSE m \in Unseen : TRUE) /\ UNCHANGED <<around, step>>
       [] OTHER -> Takes(Event) /\ Beside(Event) /\ step' = step + 1

\* The end of a history is no deadlock.
TraceDone == step > Len(Histories[trace].events) /\ UNCHANGED <<vars, around, trace, step>>

TraceSpec == TraceInit /\ [][TraceNext \/ TraceDone]_<<vars, around, trace, step>>

TraceImports == {"A", "B", "C"}
TraceChunks == [i \in TraceImports |-> {i \o "0", i \o "1"}]
TraceIds == [c \in UNION {TraceChunks[i] : i \in TraceImports} |-> IF c \in {"A0", "B0", "C0"} THEN "r-0" ELSE "r-1"]
TraceReverts == [r \in {HistoryReverts[k].name : k \in 1..Len(HistoryReverts)} |->
  (CHOOSE one \in {HistoryReverts[k] : k \in 1..Len(HistoryReverts)} : one.name = r).imports]
TraceRunReverts == {HistoryReverts[k].name : k \in {n \in 1..Len(HistoryReverts) : HistoryReverts[n].ofRun}}
TraceRevertNames == DOMAIN TraceReverts
TracePlacesC == [i \in {"C"} |-> 1]
TracePlacesBC == [i \in {"B", "C"} |-> IF i = "B" THEN 1 ELSE 2]
TracePlacesABC == [i \in {"A", "B", "C"} |-> CASE i = "A" -> 1 [] i = "B" -> 2 [] OTHER -> 3]
TraceRecords == {Histories[k].records : k \in 1..Len(Histories)}
===============================================================================
